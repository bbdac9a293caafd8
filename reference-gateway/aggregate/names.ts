/** The name under which a backend's tool or prompt is offered: `crm_send_email`. */
export function exposedName(backend: string, own: string): string {
  return `${backend}_${own}`
}

/** The backend and its own name, out of an exposed one. No backend's name holds `_`, so the first one divides. */
export function ownName(exposed: string): { backend: string; name: string } | undefined {
  const at = exposed.indexOf('_')
  return at > 0 ? { backend: exposed.slice(0, at), name: exposed.slice(at + 1) } : undefined
}
