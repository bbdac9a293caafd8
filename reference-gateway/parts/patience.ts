import type { Part } from '../types.ts'

/** How long a backend may take. A stream opened by GET may stay silent for as long as there is nothing to say. */
export const patience: Part = {
  name: 'patience',
  forward(hop) {
    const { connectMs, firstByteMs } = hop.passage.gateway.settings.timeouts
    hop.connectMs = connectMs
    hop.firstByteMs = hop.method === 'GET' ? 0 : firstByteMs
  },
}
