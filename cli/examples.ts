import type { Command } from './usage.ts'

/** A line to type, and what it does. */
export type Example = readonly [line: string, does: string]

/** Examples of each command, for its help. */
export const examples: Readonly<Record<Command, readonly Example[]>> = {
  run: [
    ['--url http://127.0.0.1:8080/mcp', 'judges a gateway'],
    ['--target gateway.yaml --baseline known.yaml --reporter junit=report.xml', 'in CI'],
    [
      "--url http://127.0.0.1:8080/mcp --only 'streaming/*' --evidence all",
      'one suite, with both sides of every exchange',
    ],
    ['--url http://127.0.0.1:8080/mcp --shard 1/4 --reporter json=1.json', 'a quarter of it'],
  ],
  list: [['list --json', 'every check as JSON']],
  explain: [
    ['explain streaming/events-as-they-come', 'one check'],
    ['explain latency', 'a suite'],
    ['explain session', 'a word'],
  ],
  mocks: [
    ['mocks', 'all three servers, until Ctrl-C'],
    ['mocks crm --stdio', 'one, for a gateway that starts its servers'],
  ],
  gateway: [
    ['gateway --port 8080', 'without guards'],
    ['gateway --guards seed --write-target target.yaml', 'with all of them, and the file to judge it by'],
    ['gateway --mutant buffers-streams', 'with a fault'],
  ],
  replay: [['replay report.json envelope/id-string', 'the requests of one check']],
  baseline: [["baseline update known.yaml --from report.json --reason 'mended in 2.4'", 'takes in what fails now']],
  report: [
    ['report report.json --to html=report.html', 'as a page'],
    ['report 1.json 2.json 3.json 4.json --to junit=report.xml', 'four shards as one run'],
    ['report diff yesterday.json today.json', 'what broke, what was fixed'],
    ['report compare nginx.json envoy.json --to markdown', 'gateways side by side'],
  ],
  bench: [
    ['bench --url http://127.0.0.1:8080/mcp', 'what a gateway adds'],
    ['bench --url http://127.0.0.1:8080/mcp --against http://127.0.0.1:8081/mcp', 'two builds in one run'],
    ['bench --quick --budget p50=1ms,p99=20ms', 'the embedded gateway, by another budget'],
    ['bench --sweep payload,concurrency', 'how the cost grows'],
  ],
  completion: [['completion bash', 'for source <(…)']],
  doctor: [['doctor --url http://127.0.0.1:8080/mcp', 'what it is, and what is missing']],
}
