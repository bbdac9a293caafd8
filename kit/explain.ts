import type { Check, Suite } from './types.ts'

/** A mutant as the docs need it: what it is called and what harm it does. */
export interface Caught {
  readonly name: string
  readonly harm: string
}

/** A check as Markdown: what `explain` prints, and what docs/checks/ holds. */
export function explain(check: Check, caught: readonly Caught[] = []): string {
  return [
    `## ${check.id}`,
    `**${check.level}**: the gateway ${check.title}. ([specification](${check.spec}))`,
    check.why,
    facts(check),
    `The kit:\n\n${list(check.steps)}`,
    check.given?.length ? `Given that:\n\n${list(check.given)}` : '',
    `It passes when:\n\n${list(check.claims)}`,
    caught.length ? `Proven on gateways that are broken on purpose:\n\n${mutants(caught)}` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** A suite's page: every check of it. `caught` tells which mutants a check catches. */
export function explainSuite(suite: Suite, caught: (id: string) => readonly Caught[]): string {
  const index = suite.checks.map(c => `- [${c.id}](#${c.id.replaceAll('/', '')}) (${c.level}): ${c.title}`)
  return [
    `# ${suite.title}`,
    '<!-- Written by `npm run docs` from the checks themselves: change those, not this page. -->',
    index.join('\n'),
    // Pages stand beside the guides that they lead to.
    ...suite.checks.map(c => explain(c, caught(c.id)).replaceAll('](docs/', '](../')),
    '',
  ].join('\n\n')
}

function facts({ pack, since, until, needs, alone, contradicts }: Check): string {
  const lines = [
    pack === 'mcp' ? '' : `Pack: ${pack}.`,
    since ? `Holds since revision ${since}.` : '',
    until ? `No longer holds as of revision ${until}.` : '',
    needs?.length ? `Judged where the target has: ${needs.join(', ')}.` : '',
    contradicts?.length ? `Asks for the opposite of: ${contradicts.join(', ')}.` : '',
    alone ? 'Runs when no other check does.' : '',
  ]
  return lines.filter(Boolean).join(' ')
}

function list(items: readonly { readonly says: string; readonly about?: string }[]): string {
  return items.map(i => `- ${i.about ? `at the ${i.about}, ` : ''}${i.says}`).join('\n')
}

function mutants(caught: readonly Caught[]): string {
  return caught.map(m => `- \`${m.name}\`: ${m.harm}`).join('\n')
}
