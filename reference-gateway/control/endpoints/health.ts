import type { Endpoint } from '../endpoint.ts'

/** Whether the gateway is up: the one thing that can be asked without a token. */
export const health: readonly Endpoint[] = [
  {
    name: 'health',
    method: 'GET',
    path: '/api/v1/health',
    open: true,
    run: ({ gateway }) => ({ json: { status: 'up', backends: gateway.routes.all.length } }),
  },
]
