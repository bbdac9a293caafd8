import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Images for tests of the Dockerfile, where an engine runs. */

const docker = (args: readonly string[], more: object = {}): string =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000, ...more })

/** Why there is no engine; undefined where one answers. */
export function noEngine(): string | undefined {
  try {
    docker(['info', '--format', '{{.ServerVersion}}'], { timeout: 10_000 })
    return undefined
  } catch (cause) {
    const { code, stderr } = cause as NodeJS.ErrnoException & { stderr?: string }
    return code === 'ENOENT'
      ? 'docker is not installed'
      : `no docker engine answers: ${(stderr ?? '').trim().split('\n')[0]}`
  }
}

/** The image that the Dockerfile stands on; where no registry has it, one with the Node and the npm of this machine. */
export function nodeImage(named: string): { readonly image: string; readonly own: boolean } {
  for (const args of [
    ['image', 'inspect', named],
    ['pull', '--quiet', named],
  ])
    try {
      docker(args)
      return { image: named, own: false }
    } catch {}
  const root = mkdtempSync(join(tmpdir(), 'mcpc-image-'))
  try {
    const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
    const put = (from: string, to = from): void => cpSync(realpathSync(from), join(root, to), { recursive: true })
    put(process.execPath, '/usr/bin/node')
    put(npm, '/usr/lib/node_modules/npm')
    for (const path of ['/bin/sh', '/usr/bin/env', '/etc/ssl/certs/ca-certificates.crt'])
      if (existsSync(path)) put(path)
    for (const program of [process.execPath, '/bin/sh', '/usr/bin/env'])
      for (const library of execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+\.so\S*/g) ?? [])
        put(library)
    const start = '#!/bin/sh\nexec node /usr/lib/node_modules/npm/bin/npm-cli.js "$@"\n'
    writeFileSync(join(root, 'usr/bin/npm'), start, { mode: 0o755 })
    for (const folder of ['tmp', 'work']) mkdirSync(join(root, folder))
    const tar = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 2 ** 30 })
    const env = 'ENV PATH=/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
    docker(['import', '--change', env, '-', 'mcp-conformance-test-node'], {
      input: tar,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    return { image: 'mcp-conformance-test-node', own: true }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export { docker }
