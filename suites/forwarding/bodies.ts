import { backend, client, unchanged } from '../../kit/claims.ts'
import { check } from '../../kit/define.ts'
import { body, call } from '../../kit/steps.ts'
import type { Check } from '../../kit/types.ts'
import { json, whole } from '../answers.ts'
import { rfc9110, rfc9112, spec } from '../spec.ts'

/** JSON as a person might have typed it: odd spaces, escapes that need not be, numbers in several spellings. */
const ODD_REQUEST = `{ "jsonrpc" : "2.0" ,\t"id":"exact-1",
  "method":"tools/call", "params" : { "name":"{{tool:echo}}",
  "arguments":{"nonce":"{{nonce}}" , "text":"\\u00e9\\/\\ud83d\\ude00 환불", "n":1.50e1, "n2":-0.0 } } }\r\n`

const ODD_ANSWER = `{ "result" : {"content":[ {"type":"text", "text":"\\u00e9\\/\\ud83d\\ude00 환불"} ] ,
  "n":1.50e1, "n2":-0.0 }, "id": {{id}} ,"jsonrpc":"2.0" }\r\n`

const RECEIPT = '영수증 🧾: 9,900원'

/** Bodies, how long they are, and how often they are sent. */
export const bodies: readonly Check[] = [
  check({
    id: 'forwarding/request-bytes-kept',
    title: 'forwards the body of a request byte for byte',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('7.7'),
    needs: ['http-backend', 'http-proxy'],
    why: 'A signature over the body no longer fits, and whatever the gateway reads differently arrives differently.',
    steps: [body(ODD_REQUEST, 'calls the tool echo by a body of odd but valid JSON')],
    claims: [unchanged().requestBody(), client().succeeds()],
  }),
  check({
    id: 'forwarding/answer-bytes-kept',
    title: 'gives on the body of an answer byte for byte',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('7.7'),
    needs: ['http-backend', 'http-proxy'],
    why: 'A signature over the body no longer fits, and whatever the gateway reads differently arrives differently.',
    steps: [call('burst_target', {}, { acts: json(ODD_ANSWER) })],
    claims: [unchanged().responseBody()],
  }),
  check({
    id: 'forwarding/length-is-true',
    title: 'MUST NOT give a Content-Length that is not the length of the body',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9110('8.6'),
    why: 'Counted in characters it is too short: the client gets half an answer as soon as it is not plain English.',
    steps: [call('echo', { text: RECEIPT, as: 'json' })],
    claims: [
      client().whole(),
      client().result('structuredContent.text', RECEIPT),
      unchanged().params('arguments.text'),
    ],
  }),
  check({
    id: 'forwarding/chunked-requests',
    title: 'MUST take requests in chunks, whose length is not told ahead',
    pack: 'mcp',
    level: 'MUST',
    spec: rfc9112('7.1'),
    why: 'Clients that stream what they send can call no tool at all.',
    steps: [call('echo', { text: '환불' }, { headers: { 'Transfer-Encoding': 'chunked' } })],
    claims: [client().succeeds(), unchanged().params('arguments.text')],
  }),
  check({
    id: 'forwarding/expect-continue',
    title: 'takes requests that expect 100-continue',
    pack: 'mcp',
    level: 'SHOULD',
    spec: rfc9110('10.1.1'),
    why: 'Clients such as curl ask so before long bodies, and either wait in vain or are refused.',
    steps: [call('echo', { text: '환불' }, { headers: { Expect: '100-continue' } })],
    claims: [client().succeeds(), unchanged().params('arguments.text')],
  }),
  check({
    id: 'forwarding/sent-at-most-once',
    title: 'does not send a call again whose answer was lost',
    pack: 'mcp',
    level: 'SHOULD',
    spec: spec('2025-11-25', 'schema', 'toolannotations'),
    catalogue: ['http.at-most-once'],
    needs: ['http-backend'],
    why: 'The first one may have done its work: the mail goes out twice, the money is paid back twice.',
    steps: [
      call('send_email', { to: 'kim@example.com', subject: '환불' }, { as: 'reset', acts: [{ do: 'reset' }] }),
      call(
        'send_email',
        { to: 'lee@example.com', subject: '환불' },
        {
          as: 'cut',
          acts: [
            { do: 'head', headers: [['Content-Type', 'application/json']] },
            { do: 'write', text: '{"jsonrpc":"2.0",' },
            { do: 'reset' },
          ],
        },
      ),
      call(
        'send_email',
        { to: 'park@example.com', subject: '환불' },
        {
          as: 'unavailable',
          acts: whole(503, 'text/plain', 'try again later\n', [['Retry-After', '0']]),
        },
      ),
    ],
    claims: [backend('reset').once(), backend('cut').once(), backend('unavailable').once()],
  }),
]
