import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openRepository } from './ci-rig.ts'
import { docker, nodeImage, noEngine } from './docker-node.ts'

const missing = noEngine()
const folder = mkdtempSync(join(tmpdir(), 'mcpc-docker-'))
const IMAGE = 'mcp-conformance-test'
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  if (!missing) docker(['image', 'rm', '--force', IMAGE])
})

const text = readFileSync('ci/Dockerfile', 'utf8')

test('the Dockerfile ends as a user who is not root, and starts the kit without a shell', () => {
  const last = text.split('\nFROM ').at(-1)!
  expect(/^USER (\d+):\d+$/m.exec(last)?.[1]).not.toMatch(/^(0|undefined)$/)
  expect(last).toMatch(/^ENTRYPOINT \["node", "\S+\/dist\/cli\/bin\.cjs"\]$/m)
  expect(last).not.toContain('RUN')
})

test(`its build judges a gateway${missing ? ` (skipped: ${missing})` : ''}`, { timeout: 180_000 }, async context => {
  if (missing) context.skip(missing)
  const { image, own } = nodeImage(/^ARG NODE=(\S+)$/m.exec(text)![1]!)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { encoding: 'utf8' })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  cpSync('ci/Dockerfile', join(folder, 'Dockerfile'))
  const args = [`NODE=${image}`, `PACKAGE=mcp-conformance-${version}.tgz`].flatMap(arg => ['--build-arg', arg])
  docker(['build', '--network', 'host', ...args, '-t', IMAGE, folder])
  const run = ['run', '--rm', '--network', 'host']
  expect(docker([...run, IMAGE, '--version'])).toBe(`${version}\n`)
  expect(docker([...run, '--entrypoint', 'node', IMAGE, '-p', 'process.getuid()'])).toBe('1000\n')
  const { folder: repository, close } = await openRepository()
  try {
    const mount = ['--user', `${process.getuid!()}:${process.getgid!()}`, '-v', `${repository}:/work`]
    const judge = [IMAGE, '--target', 'gateway.yaml', '--only', 'prompts']
    // Not at once and for all, as `docker` does above: the gateway lives in this process.
    const { stdout: said } = await promisify(execFile)('docker', [...run, ...mount, ...judge])
    expect(said).toContain('The gateway conforms in what was chosen.')
  } finally {
    await close()
  }
  const size = (name: string) => Number(docker(['image', 'inspect', '--format', '{{.Size}}', name]))
  // What it adds to Node.
  expect(size(IMAGE) - size(image)).toBeLessThan(40_000_000)
  if (own) docker(['image', 'rm', '--force', image])
})
