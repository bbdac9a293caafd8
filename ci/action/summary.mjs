// What a workflow shows of a run: a page of Markdown, and a few annotations. Both are made of the JSON report.

const MOST_FAILURES = 25
const MOST_ANNOTATIONS = 10

const SENTENCES = {
  conforms: 'The gateway conforms.',
  'does-not-conform': 'The gateway does not conform.',
  'wrong-usage': 'Wrong usage: nothing was judged.',
  'not-judged': 'It could not be judged whether the gateway conforms.',
  interrupted: 'The run was interrupted.',
}

/** Failures that count as such, then warnings, then what could not be judged. */
function notable({ results }) {
  const counted = results.filter(r => r.verdict === 'fail' && !r.known && !r.contradictedBy)
  return [
    ...counted.filter(r => r.level === 'MUST'),
    ...counted.filter(r => r.level !== 'MUST'),
    ...results.filter(r => r.verdict === 'error'),
  ]
}

const seenOf = ({ findings = [], reason = '' }) => findings[0]?.seen ?? reason

/** The job summary. */
export function summaryOf(report, outcome, fault) {
  const head = `## MCP gateway conformance\n\n**${SENTENCES[outcome]}**${fault ? ` ${plain(fault)}` : ''}\n`
  if (!report) return `${head}\nThere is no report; the log of the step says why.\n`
  const { target, summary, kit } = report
  const rows = notable(report).slice(0, MOST_FAILURES)
  const more = notable(report).length - rows.length
  return [
    head,
    `${plain(target.name)} at ${plain(target.url)}, judged by mcp-conformance ${plain(kit.version)}.\n`,
    '| passed | failed | skipped | not judged |\n|---|---|---|---|',
    `| ${summary.pass} | ${summary.fail} | ${summary.skip} | ${summary.error} |\n`,
    ...(rows.length ? ['| check | level | seen |\n|---|---|---|'] : []),
    ...rows.map(
      r => `| ${plain(r.id)} | ${r.verdict === 'error' ? 'not judged' : r.level} | ${plain(short(seenOf(r)))} |`,
    ),
    ...(more > 0 ? [`\nand ${more} more, which the reports name`] : []),
    '',
  ].join('\n')
}

/** Lines that the workflow takes as annotations: at most ten, the last of which says how many more there are. */
export function annotations(report, outcome, strict) {
  if (!report) return [`::error title=mcp-conformance::${escaped(SENTENCES[outcome])}`]
  const all = notable(report)
  const shown = all.length > MOST_ANNOTATIONS ? all.slice(0, MOST_ANNOTATIONS - 1) : all
  const lines = shown.map(r => {
    const counts = r.verdict === 'error' || r.level === 'MUST' || (strict && r.level === 'SHOULD')
    return `::${counts ? 'error' : 'warning'} title=${escaped(r.id).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(`${r.verdict === 'error' ? 'Could not be judged' : 'Does not hold'}: the gateway ${r.title}. Seen: ${short(seenOf(r))}`)}`
  })
  if (shown.length < all.length)
    lines.push(`::notice title=mcp-conformance::${all.length - shown.length} more in the summary and the reports`)
  return lines
}

const short = text => (text.length > 300 ? `${text.slice(0, 299)}…` : text)

/** Text of a gateway as text: neither markup nor a new cell. */
const plain = text =>
  String(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#|!~&@]/g, c => `&#${c.codePointAt(0)};`)

const escaped = text => String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
