/** The text format of Prometheus, version 0.0.4. */
export const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

/** One number: what is behind the family's name, its labels, its value. */
export type Sample = readonly [suffix: string, labels: Labels, value: number]

/** Numbers of one name. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly samples: readonly Sample[]
}

/** All families as text. */
export function exposition(families: readonly Family[]): string {
  return families.map(family).join('')
}

function family({ name, help, type, samples }: Family): string {
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${labelled(labels)} ${value}\n`)
  return `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
