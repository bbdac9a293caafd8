import type { Revision } from '../kit/types.ts'

/** A link into the specification: `spec('2025-11-25', 'basic/transports', 'sending-messages-to-the-server')`. */
export const spec = (revision: Revision, page: string, anchor?: string): string =>
  `https://modelcontextprotocol.io/specification/${revision}/${page}${anchor ? `#${anchor}` : ''}`

/** A link to a section of HTTP Semantics (RFC 9110). */
export const rfc9110 = (section: string): string => `https://www.rfc-editor.org/rfc/rfc9110.html#section-${section}`

/** A link to a section of HTTP/1.1 (RFC 9112). */
export const rfc9112 = (section: string): string => `https://www.rfc-editor.org/rfc/rfc9112.html#section-${section}`

/** A link to a section of the rules of the SyncSeries platform: `platform('rate-guard')`. */
export const platform = (section: string): string => `docs/platform.md#${section}`
