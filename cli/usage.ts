/** One flag: what it takes and what it is for. */
export interface Flag {
  /** What stands after it; a flag without is on or off. */
  readonly takes?: string
  readonly many?: boolean
  readonly short?: string
  readonly says: string
}

/** One command as its help shows it. Data only, so that help costs no import. */
export interface Usage {
  readonly says: string
  /** What may stand after the command's name. */
  readonly operands?: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Lines for the end of the help. */
  readonly more?: readonly string[]
}

const help: Flag = { short: 'h', says: 'shows this' }
const noColor: Flag = { says: 'prints without colours, as NO_COLOR=1 does' }

const target = {
  url: { takes: 'URL', says: 'the gateway; without --url and --target the embedded reference gateway is judged' },
  target: { takes: 'FILE', says: 'a target file (JSON or YAML) that says more about the gateway' },
  header: {
    takes: "'K: V'",
    many: true,
    says: `a field to send with every request; \${NAME} in it is read from the environment`,
  },
  'bearer-env': { takes: 'VAR', says: 'sends the token in this environment variable as Authorization: Bearer' },
  profile: { takes: 'NAME', says: 'what kind of gateway it is: transparent, aggregator or full' },
  port: {
    takes: 'SERVER=PORT',
    many: true,
    says: 'where a mock server waits, such as crm=4101; 0 is any free port, stdio is no port',
  },
  record: { takes: 'HOST:PORT', says: 'where mock servers in other processes meet the run; default 127.0.0.1:4100' },
  host: { takes: 'ADDRESS', says: 'where mock servers listen; default 127.0.0.1; 0.0.0.0 lets containers in' },
  timeout: { takes: 'MS', says: 'how long one check may take; default 5000' },
} as const satisfies Record<string, Flag>

const suite: Flag = { takes: 'FILE', many: true, says: 'a module with a suite of your own; see docs/own-checks.md' }

/** Every command by its name. */
export const commands = {
  run: {
    says: 'judges a gateway (the default)',
    flags: {
      ...target,
      profile: {
        takes: 'NAME',
        says: 'what kind of gateway it is: transparent, aggregator or full; or guardrails, which tells the two guards step by step',
      },
      only: { takes: 'GLOB', many: true, says: 'runs only the checks whose id matches; a suite alone means all of it' },
      skip: { takes: 'GLOB', many: true, says: 'leaves out the checks whose id matches' },
      suite,
      pack: {
        takes: 'P[,P]',
        many: true,
        says: 'mcp, syncseries, policy; default mcp, and all three for the embedded gateway',
      },
      revision: {
        takes: 'R[,R]',
        many: true,
        says: 'judges every check in each of these; default: the newest that it holds for',
      },
      strict: { says: 'a SHOULD that does not hold counts as a failure, too' },
      baseline: { takes: 'FILE', says: 'known failures: a list of { id, reason, issue?, until?, flaky? }' },
      reporter: {
        takes: 'FORMAT[=FILE]',
        many: true,
        says: 'text, json, ndjson, junit, tap, sarif, markdown, github (annotations) or html: printed, or written into a file beside the text',
      },
      shard: { takes: 'I/N', says: 'runs one part of so many, such as 2/4; report puts the parts together' },
      'fail-fast': { says: 'stops at the first failure that counts' },
      watch: { says: 'stays, and judges what failed again when the gateway has restarted, or at Enter' },
      wait: { takes: 'TIME', says: 'waits up to so long, such as 60s, until the gateway answers initialize' },
      evidence: { takes: 'failures|all|none', says: 'of which checks to show what both sides saw; default failures' },
      mutant: { takes: 'NAME', says: 'judges the embedded gateway with this fault put in' },
      'no-color': noColor,
      help,
    },
    more: [
      'A target file has name and url, and may have routing, mocks, record, revisions, profile,',
      'features, limits, auth: see docs/target-file.md. With mocks: { crm: stdio } the gateway starts',
      'the server itself, by mcp-conformance mocks crm --stdio.',
      '',
      'Exit codes: 0 conforms · 1 does not, or a baseline entry is stale · 2 wrong usage ·',
      '            3 could not be judged · 130 interrupted (Ctrl-C reports what was judged)',
    ],
  },
  list: {
    says: 'lists the checks',
    flags: {
      json: { says: 'prints them as JSON: id, title, pack, level, spec, since, until, needs, why, steps, claims' },
      suite,
      help,
    },
  },
  explain: {
    says: 'explains a check, a suite or a word of the field',
    operands: '[id|word]',
    flags: { suite, help },
  },
  mocks: {
    says: 'starts the mock servers to register with a gateway, and stays until Ctrl-C',
    operands: '[crm|db|syncboot]…',
    flags: {
      tier2: { says: 'approve_refund asks for the role crm_admin in the token' },
      stdio: { says: 'speaks MCP on stdin and stdout, as one server; for gateways that start their servers' },
      port: target.port,
      host: target.host,
      record: { takes: 'HOST:PORT', says: 'where a run meets these servers; default 127.0.0.1:4100' },
      register: { takes: 'URL', says: 'registers the servers with the gateway whose control plane is there' },
      'register-token-env': { takes: 'VAR', says: 'with --register: the environment variable that holds its token' },
      help,
    },
    more: [
      'A run on the same machine finds them by itself. With --stdio, what the server sees goes to the run',
      'that listens at --record (or MCP_CONFORMANCE_RECORD); without a run it just serves.',
    ],
  },
  gateway: {
    says: 'starts the reference gateway with the mock servers behind it, and stays until Ctrl-C',
    flags: {
      port: { takes: 'PORT', says: 'where it listens; default 8080, 0 is any free port' },
      config: {
        takes: 'FILE',
        says: 'its configuration (JSON or YAML): servers, guards, control plane; see docs/gateway.md',
      },
      guards: {
        takes: 'seed|official',
        says: 'puts all guards on, with a control plane: as the platform has them, or as the protocol has them',
      },
      'control-port': { takes: 'PORT', says: 'where the control plane and the dashboard listen; default 8888' },
      'write-target': { takes: 'FILE', says: 'with --guards: writes the target file with which a run can judge it' },
      mutant: { takes: 'NAME', says: 'puts this fault in' },
      'list-mutants': { says: 'lists the faults that can be put in, and the checks that catch them' },
      'mock-port': { ...target.port },
      record: { takes: 'HOST:PORT', says: 'where a run meets the mock servers; default 127.0.0.1:4100' },
      json: { says: 'with --list-mutants: prints [{ name, harm, caughtBy }]' },
      help,
    },
  },
  replay: {
    says: 'sends the requests of failed checks again, and tells what comes now beside what came then',
    operands: 'REPORT [ID]',
    flags: {
      url: { takes: 'URL', says: 'the gateway, where it is elsewhere than the report says' },
      header: target.header,
      'bearer-env': target['bearer-env'],
      timeout: target.timeout,
      'no-color': noColor,
      help,
    },
    more: [
      'Secrets are hidden in reports: give them again with --header or --bearer-env. What servers do on purpose in a',
      'check only a run can make them do; the output names the command.',
      '',
      'Exit codes: 0 all is answered otherwise now · 1 something is answered as then · 2 wrong usage · 3 nobody answers',
    ],
  },
  baseline: {
    says: 'brings a list of known failures up to date by a report',
    operands: 'update FILE',
    flags: {
      from: { takes: 'REPORT', says: 'what --reporter json=REPORT has written' },
      reason: { takes: 'TEXT', says: 'why what is new may fail: a person will read it next year' },
      issue: { takes: 'LINK', says: 'where that is being mended' },
      until: { takes: 'DAY', says: 'the last day on which it counts, such as 2027-03-31' },
      help,
    },
    more: [
      'What passes now is taken out; reasons, comments and flaky entries stay. What could not be judged is never put in.',
    ],
  },
  report: {
    says: 'makes something else of reports: another form, one of several, a comparison, a badge, a statement',
    operands: '[diff|compare|badge|statement] FILE…',
    flags: {
      to: {
        takes: 'FORMAT[=FILE]',
        many: true,
        says: 'text, json, ndjson, junit, tap, sarif, markdown, github or html; compare: text, markdown or html',
      },
      project: { takes: 'NAME', says: 'statement: the gateway, where it calls itself otherwise' },
      release: { takes: 'VERSION', says: 'statement: its version' },
      site: { takes: 'URL', says: 'statement: where it is found' },
      contact: { takes: 'WHO', many: true, says: 'statement: who answers for it' },
      'no-color': noColor,
      help,
    },
    more: [
      'FILE is what --reporter json=FILE has written. Several files of one gateway are put together, as shards of',
      'one run. diff BEFORE AFTER tells what broke and what was fixed; compare A B… sets gateways side by side.',
      '',
      'Exit codes: that of the run · diff: 1 where something newly failed · 2 wrong usage',
    ],
  },
  bench: {
    says: 'measures what a gateway adds to the time of a call, beside the direct way',
    flags: {
      url: {
        ...target.url,
        says: 'the gateway; without --url and --target the embedded reference gateway is measured',
      },
      target: target.target,
      header: target.header,
      'bearer-env': target['bearer-env'],
      profile: target.profile,
      port: target.port,
      host: target.host,
      record: target.record,
      timeout: { takes: 'MS', says: 'how long a first look at the gateway may take; default 5000' },
      against: { takes: 'URL', says: 'a second gateway before the same servers, measured in the same run' },
      direct: {
        takes: 'URL',
        says: 'your own server, behind the gateway: where it answers without it; measured by tools/list or --call',
      },
      call: { takes: 'TOOL', says: 'with --direct: the tool to call, as the gateway and the server name it' },
      arguments: { takes: 'JSON', says: 'with --call: its arguments' },
      budget: {
        takes: 'B',
        says: 'what it may add, such as p50=5ms,p95=5ms (the default); p90 and p99 can be named, too',
      },
      quick: { says: 'ends within 10 s: fewer kinds of calls, fewer pairs' },
      scenario: { takes: 'ID', many: true, says: 'measures only these kinds of calls' },
      pairs: { takes: 'N', says: 'how many pairs of the call that the budget is about' },
      revision: { takes: 'R[,R]', many: true, says: 'in these revisions; default all that it speaks' },
      rate: {
        takes: 'N',
        says: 'sends N calls a second, come what may, in place of pairs; latency counts from when a call was due',
      },
      'no-load': { says: 'leaves out the part under load (1, 10 and 50 connections)' },
      sweep: {
        takes: 'WHAT',
        many: true,
        says: 'turns one thing up step by step: sessions, payload, concurrency; routes and backends of the embedded gateway',
      },
      compare: { takes: 'FILE', says: 'a JSON report of before: what has become slower counts as a failure' },
      threshold: { takes: 'T', says: 'from when on a change counts; default 10%,0.1ms: both must be exceeded' },
      seed: { takes: 'N', says: 'of the random order' },
      reporter: {
        takes: 'FORMAT[=FILE]',
        many: true,
        says: 'text, json (all histograms; what --compare takes), html, github-benchmark or bencher: printed, or written into a file',
      },
      export: {
        takes: 'k6',
        says: 'prints a script for k6 in place of measuring: the chosen calls, direct and through',
      },
      import: { takes: 'FILE', says: 'tells what the script of --export k6 has left, and whether the budget holds' },
      'no-color': noColor,
      help,
    },
    more: [
      'The verdict comes from pairs of the same call, direct and through, in random order, one after the other.',
      '',
      'Exit codes: 0 within the budget · 1 over it, or slower than what it was compared with · 2 wrong usage ·',
      '            3 could not be told · 130 interrupted',
    ],
  },
  completion: {
    says: 'prints a script by which your shell completes what you type',
    operands: 'bash|zsh|fish',
    flags: { help },
    more: ['bash and zsh: source <(mcp-conformance completion bash) · fish: mcp-conformance completion fish | source'],
  },
  doctor: {
    says: 'says whether a gateway can be judged, what it is, and what to do next',
    flags: { ...target, 'no-color': noColor, help },
  },
} as const satisfies Record<string, Usage>

export type Command = keyof typeof commands
