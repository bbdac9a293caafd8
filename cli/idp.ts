import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { CannotJudge, WrongUsage } from '../kit/errors.ts'
import { type Preflight, preflight, type Wanted } from '../kit/preflight.ts'
import type { ProbeTools } from '../kit/probe.ts'
import type { TargetFile } from '../kit/target-file.ts'
import { type Idp, makeKeyFile, startIdp } from '../mock-servers/idp.ts'

/** Starts the kit's identity provider with the key in a file, which is made where it is not there. */
export async function openIdp({ key, port }: NonNullable<TargetFile['idp']>): Promise<Idp> {
  const idp = await startIdp({ key: await keyIn(key), ...(port !== undefined && { port }) })
  try {
    await idp.jwks()
    return idp
  } catch {
    await idp.close()
    throw new WrongUsage(
      `${key} holds no private RSA key: it must be PEM (PKCS 8), as openssl genpkey -algorithm RSA makes it.`,
    )
  }
}

/** The key in a file; a new one, kept there for the next run, where there is none. */
export async function keyIn(path: string): Promise<string> {
  try {
    if (existsSync(path)) return readFileSync(path, 'utf8')
    const made = await makeKeyFile()
    writeFileSync(path, made, { mode: 0o600 })
    return made
  } catch (cause) {
    throw new CannotJudge(
      `The key file ${path} can be neither read nor written (${(cause as NodeJS.ErrnoException).code}).`,
    )
  }
}

/** Looks at a gateway as one who is let in; in the run itself each check has tokens of its own. */
export async function look(wanted: Wanted, idp: Idp | undefined, tools: ProbeTools): Promise<Preflight> {
  if (!idp) return preflight(wanted, tools)
  const token = await idp.mint({ sub: 'mcp-conformance' })
  const { target, ...rest } = await preflight(
    { ...wanted, headers: [...wanted.headers, ['Authorization', `Bearer ${token}`]] },
    tools,
  )
  return { ...rest, target: { ...target, headers: wanted.headers } }
}
