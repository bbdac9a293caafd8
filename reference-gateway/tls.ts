import { readFileSync } from 'node:fs'
import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'

/** Certificates as PEM, each as text or as a file. */
export interface TlsConfig {
  readonly cert?: string
  readonly certFile?: string
  readonly key?: string
  readonly keyFile?: string
  /** Where given, only clients with a certificate signed by it are let in (mutual TLS). */
  readonly clientCa?: string
  readonly clientCaFile?: string
}

/** An HTTP server, or an HTTPS one where `tls` is given. Throws, with one sentence, where that can't be used. */
export function createListener(tls: TlsConfig | undefined, listener: RequestListener): Server {
  if (!tls) return createPlain(listener)
  const cert = textOf(tls, 'cert')
  const key = textOf(tls, 'key')
  const ca = textOf(tls, 'clientCa')
  if (cert === undefined || key === undefined) {
    throw new Error('tls: a certificate and its key are needed: cert or certFile, and key or keyFile.')
  }
  const mutual = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true }
  try {
    return createSecure({ cert, key, minVersion: 'TLSv1.2', ...mutual }, listener)
  } catch (cause) {
    throw new Error(`tls: the certificates can't be used: ${(cause as Error).message}.`)
  }
}

function textOf(tls: TlsConfig, name: 'cert' | 'key' | 'clientCa'): string | undefined {
  const path = tls[`${name}File`]
  if (tls[name] !== undefined || path === undefined) return tls[name]
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`tls: the file ${path} can't be read (${(cause as NodeJS.ErrnoException).code}).`)
  }
}
