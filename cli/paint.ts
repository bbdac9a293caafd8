/** Colours for a terminal; each returns its text as it is where colours are off. */
export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

/** The colours, on or off. */
export function paint(on: boolean): Paint {
  const all = Object.entries(codes).map(([name, [open, close]]) => {
    const colour = (text: string) => (on && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text)
    return [name, colour] as const
  })
  return Object.fromEntries(all) as Paint
}

/** Whether to use colours: by NO_COLOR, then FORCE_COLOR, then on a terminal. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}
