import type { Pairs, Routing, ServerName } from './types.ts'

/** The name by which a gateway knows a server, where the target says nothing else. */
export const SERVICE: Readonly<Record<ServerName, string>> = {
  crm: 'crm-service',
  db: 'db-service',
  syncboot: 'syncboot-service',
}

/** Where requests for a server go, and the fields that lead them there. */
export function route(url: string, routing: Routing, server: ServerName): { url: string; headers: Pairs } {
  switch (routing.style) {
    case 'path': {
      const path = (routing.path ?? '/{backend}/mcp').replace('{backend}', routing.services?.[server] ?? server)
      return { url: new URL(path, url).href, headers: [] }
    }
    case 'header':
      return { url, headers: [[routing.header ?? 'Mcp-Name', routing.services?.[server] ?? SERVICE[server]]] }
    case 'direct':
      return { url: routing.urls?.[server] ?? url, headers: [] }
    default:
      return { url, headers: [] }
  }
}
