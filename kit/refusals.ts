import { CannotJudge } from './errors.ts'
import { at, stringify } from './json.ts'
import { reply } from './messages.ts'
import type { Exchange, ServerName, Servers } from './types.ts'
import { field } from './wire.ts'

/** Why a URL that was tried is of no use: what it did, what was expected, what to do. */
export function unusable(url: string, answer: Exchange): CannotJudge {
  const { failure, response } = answer
  if (failure === 'the connection was refused') {
    return new CannotJudge(
      `Nobody listens at ${url}: the connection was refused. Start the gateway, or correct host and port.`,
    )
  }
  if (failure?.startsWith('TLS failed')) {
    return new CannotJudge(
      `${url} can't be trusted: ${failure}. Put its CA into NODE_EXTRA_CA_CERTS, or use http:// if it speaks that.`,
    )
  }
  if (failure !== undefined && response === undefined) {
    return new CannotJudge(
      `${url} gave no answer to initialize: ${failure}. Is this the address of an MCP endpoint over HTTP?`,
    )
  }
  if (!response) return new CannotJudge(`${url} gave no answer to initialize.`)
  const { status, headers, body } = response
  if (status === 401 || status === 403) {
    const challenge = field(headers, 'www-authenticate')
    return new CannotJudge(
      `${url} asks for credentials (status ${status}${challenge ? `, WWW-Authenticate: ${challenge}` : ''}). Put a token into an environment variable and give its name with --bearer-env, or use --header.`,
    )
  }
  if (status >= 300 && status < 400) {
    return new CannotJudge(
      `${url} redirects to ${field(headers, 'location') ?? 'nowhere'} (status ${status}). Give the address that it ends at.`,
    )
  }
  if (/html/i.test(field(headers, 'content-type') ?? '') || /^\s*<(!doctype|html)/i.test(body)) {
    const title = /<title[^>]*>([^<]{1,80})/i.exec(body)?.[1]?.trim()
    return new CannotJudge(
      `${url} answers initialize with a web page${title ? ` ("${title}")` : ''} (status ${status}), not with JSON-RPC. Give the address of the MCP endpoint, often /mcp; if this is a login page, give credentials with --bearer-env.`,
    )
  }
  const error = at(reply(answer), 'error')
  if (error !== undefined) {
    return new CannotJudge(
      `${url} refuses initialize: ${stringify(at(error, 'message') ?? at(error, 'code') ?? null)} (status ${status}). Is there a server behind it, and does it speak a revision up to 2025-11-25?`,
    )
  }
  return new CannotJudge(
    `${url} does not speak MCP: it answers initialize with status ${status}${failure ? `, then ${failure}` : ''} and ${body === '' ? 'no body' : 'a body that holds no initialize result'}. Give the address of the MCP endpoint.`,
  )
}

/** The gateway works, but none of what was sent came out at these servers. */
export function notReached(url: string, missing: readonly ServerName[], servers: Servers): CannotJudge {
  const wait = servers.names.map(name => `${name}: ${servers.url(name) ?? 'over stdio'}`)
  return new CannotJudge(
    `${url} answers, but nothing that was sent to it reached the mock server${missing.length > 1 ? 's' : ''} ${missing.join(', ')}. Register these addresses with the gateway as its servers, then run again:`,
    wait,
  )
}
