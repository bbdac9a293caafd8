import { readAudit } from './audit/config.ts'
import { readAuth } from './auth/config.ts'
import { addressList } from './parts/addresses.ts'
import type { Config, Guards, Settings } from './types.ts'

/** Fills the defaults in. Throws, with one sentence, where something can't be used. */
export function settings(config: Config): Settings {
  const { audit, auth, breaker, approvals, budgets, sagas } = config
  const given = { audit: audit && readAudit(audit), auth: auth && readAuth(auth), breaker, approvals, budgets, sagas }
  const guards: Guards = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return {
    host: config.host ?? '127.0.0.1',
    port: config.port ?? 0,
    timeouts: { connectMs: 2000, firstByteMs: 30_000, gatherMs: 5000, ...config.timeouts },
    maxBodyBytes: config.maxBodyBytes ?? 16 * 1024 * 1024,
    allowedOrigins: config.allowedOrigins ?? [],
    errors: config.errors ?? 'seed',
    warn: config.warn ?? (() => {}),
    ...(config.allowAddresses && { allowAddresses: addressList(config.allowAddresses) }),
    ...guards,
  }
}
