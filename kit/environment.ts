import { WrongUsage } from './errors.ts'

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** Puts environment variables in for `${NAME}`. Throws WrongUsage for one that is not set; `where` is for the message. */
export function expand(text: string, env: Env, where: string, secrets: string[] = []): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env[name]
    if (!value) throw new WrongUsage(`${where} needs the environment variable ${name}, which is not set.`)
    secrets.push(value)
    return value
  })
}
