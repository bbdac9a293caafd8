import type { Part } from '../types.ts'

/**
 * What becomes of a request whose client has hung up. Up to 2025-11-25 that is no cancellation: the server may finish
 * and its answer is thrown away. From 2026-07-28 on it is one. A stream opened by GET is closed in any case.
 */
export const departure: Part = {
  name: 'departure',
  gone(passage) {
    const revision = passage.header('mcp-protocol-version') ?? ''
    if (passage.method === 'GET' || revision >= '2026-07-28') passage.abort()
  },
}
