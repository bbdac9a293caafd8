/** What a pattern is held against: a tool, and the server that has it, as far as they are known. */
export interface Named {
  /** The tool by its own name. */
  readonly tool: string
  /** The server's name in the configuration. */
  readonly backend?: string
  /** Its name in the field `Mcp-Name`. */
  readonly service?: string
}

/**
 * Whether a tool is meant by one of the patterns: `rollback_*` on every server, `crm_approve_*` as the aggregating endpoint
 * offers it, `crm-service:approve_*` on one server.
 */
export function isRisky(patterns: readonly string[], { tool, backend, service }: Named): boolean {
  return patterns.some(pattern => {
    const colon = pattern.indexOf(':')
    const names = backend === undefined ? [tool] : [tool, `${backend}_${tool}`]
    if (names.some(name => fits(pattern, name))) return true
    if (colon === -1) return false
    const server = pattern.slice(0, colon)
    return (
      [backend, service].some(one => one !== undefined && fits(server, one)) && fits(pattern.slice(colon + 1), tool)
    )
  })
}

/** Whether a text has the form of a pattern, in which `*` stands for any run of characters. */
export function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}
