import type { Backend, Config, Settings } from './types.ts'

/** Fills the defaults in. Throws with one sentence where a backend's name or address cannot be used. */
export function settings(config: Config): Settings {
  return {
    host: config.host ?? '127.0.0.1',
    port: config.port ?? 0,
    backends: Object.entries(config.backends).map(([name, { url, service }]) => backend(name, url, service)),
    timeouts: { connectMs: 2000, firstByteMs: 30_000, gatherMs: 5000, ...config.timeouts },
    maxBodyBytes: config.maxBodyBytes ?? 16 * 1024 * 1024,
    allowedOrigins: config.allowedOrigins ?? [],
  }
}

/** An underscore would make it unclear where a prefix ends, and `all` is the aggregating endpoint. */
function backend(name: string, address: string, service = `${name}-service`): Backend {
  if (!/^[a-z][a-z0-9.-]*$/i.test(name) || name === 'all') {
    throw new Error(
      `The name ${JSON.stringify(name)} cannot be used for a backend: letters, digits, "." and "-" can, beginning with a letter; "all" is taken.`,
    )
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error(`The address ${JSON.stringify(address)} of the backend ${name} is no http or https URL.`)
  }
  return { name, service, origin: url.origin, path: url.pathname + url.search }
}
