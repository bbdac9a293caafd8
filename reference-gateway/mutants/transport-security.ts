import { makeAddresses } from '../parts/addresses.ts'
import type { Config } from '../types.ts'
import { type Mutant, removePart, replacePart } from './harm.ts'

/** Changes what concerns TLS, in the gateway that speaks it. */
const withTls = (change: (config: Config, tls: NonNullable<Config['tls']>) => Config) => (config: Config) =>
  config.tls ? change(config, config.tls) : config

export const transportSecurity: readonly Mutant[] = [
  {
    name: 'asks-for-no-certificate',
    harm: 'Speaks TLS, and does not ask who the client is.',
    caughtBy: ['transport-security/no-certificate-refused', 'transport-security/foreign-certificate-refused'],
    platform: 'seed',
    configure: withTls((config, { clientCa: _, ...tls }) => ({ ...config, tls })),
  },
  {
    name: 'trusts-the-wrong-authority',
    harm: "Takes its own certificate for that of the clients' authority.",
    caughtBy: ['transport-security/certificate-accepted'],
    platform: 'seed',
    configure: withTls((config, tls) => ({ ...config, tls: { ...tls, ...(tls.cert && { clientCa: tls.cert }) } })),
  },
  {
    name: 'takes-certificates-for-tokens',
    harm: 'Asks for no token where a certificate was shown.',
    caughtBy: ['transport-security/certificate-is-no-token'],
    platform: 'seed',
    configure: withTls(({ auth: _, ...config }) => config),
  },
  {
    name: 'serves-the-whole-network',
    harm: 'Takes one address of a network on its list for the whole network.',
    caughtBy: ['transport-security/address-refused', 'transport-security/address-not-claimed'],
    platform: 'seed',
    configure: config => ({
      ...config,
      ...(config.allowAddresses && { allowAddresses: [...config.allowAddresses, '127.0.0.0/8'] }),
    }),
  },
  {
    name: 'believes-forwarded-addresses',
    harm: 'Takes the address of a client from X-Forwarded-For, whoever sends it.',
    caughtBy: ['transport-security/address-not-claimed'],
    platform: 'seed',
    mutate: replacePart(
      'addresses',
      makeAddresses(passage => passage.header('x-forwarded-for') ?? passage.address),
    ),
  },
  {
    name: 'serves-every-page',
    harm: 'Does not look at Origin where there is a token.',
    caughtBy: ['transport-security/foreign-origin-refused', 'transport-security/rebound-name-refused'],
    platform: 'seed',
    mutate: removePart('origin'),
  },
  {
    name: 'serves-pages-of-its-own-name',
    harm: 'Takes a page for its own where Origin and Host are the same name.',
    caughtBy: ['transport-security/rebound-name-refused'],
    platform: 'seed',
    mutate: replacePart('origin', old => ({
      receive: passage =>
        passage.header('origin') === `http://${passage.header('host')}` ? undefined : old.receive?.(passage),
    })),
  },
]
