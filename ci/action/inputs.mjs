// What the inputs of action.yml mean. They come as text, from people and from other steps: each is handed on as one argument.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const lines = text =>
  (text ?? '')
    .split(/[\r\n]+/)
    .map(line => line.trim())
    .filter(Boolean)

/** `--name=value`, in one piece, so that no value can be taken for a flag. */
const each = (name, values) => values.map(value => `--${name}=${value}`)

/** The arguments of the kit for these inputs; or a sentence that says what is wrong with them. */
export function flagsOf(env) {
  const {
    MCPC_URL: url,
    MCPC_TARGET: target,
    MCPC_BASELINE: baseline,
    MCPC_PACKS: packs,
    MCPC_STRICT: strict = '',
  } = env
  if (!url && !target) return { fault: 'Neither url nor target is given: name the gateway to judge.' }
  if (!['', 'true', 'false'].includes(strict)) return { fault: `strict must be true or false, not ${strict}.` }
  const one = (name, value) => (value ? each(name, [value]) : [])
  return {
    flags: [
      ...one('url', url),
      ...one('target', target),
      ...one('baseline', baseline),
      ...one('pack', packs),
      ...each('only', lines(env.MCPC_ONLY)),
      ...each('skip', lines(env.MCPC_SKIP)),
      ...each('suite', lines(env.MCPC_SUITES)),
      ...(strict === 'true' ? ['--strict'] : []),
      ...(env.MCPC_BEARER_TOKEN ? ['--bearer-env=MCPC_BEARER_TOKEN'] : []),
    ],
  }
}

/** The command that is the kit: what is asked for, else the copy of the project, else the version of this action. */
export function kitOf(env, folder) {
  const npx = spec => ['npx', '--yes', `--package=${spec}`, '--', 'mcp-conformance']
  if (env.MCPC_PACKAGE) return npx(env.MCPC_PACKAGE)
  const own = join(folder, 'node_modules', 'mcp-conformance', 'package.json')
  if (existsSync(own))
    return [process.execPath, join(own, '..', JSON.parse(readFileSync(own, 'utf8')).bin['mcp-conformance'])]
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return npx(`mcp-conformance@${version}`)
}
