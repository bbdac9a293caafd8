import type { Report, Reporter, Result, Target } from '../../kit/types.ts'
import type { Story } from '../stories.ts'
import { columnsOf, visible, wrap } from '../words.ts'
import { type Scene, scenes } from './chapter.ts'
import type { Print, TextOptions } from './options.ts'
import { closing } from './text.ts'

/** Tells the checks of a story step by step, with what was seen at each. */
export function story(print: Print, options: TextOptions, { hint }: Story): Reporter {
  return {
    start: () => print(`${options.head.flatMap(line => wrap(line, options.columns)).join('\n')}\n`),
    end(report: Report) {
      for (const result of report.results) print(`${chapter(result, options).join('\n')}\n`)
      const unheard = report.results.some(r => r.verdict === 'skip')
      print([...(unheard ? wrap(hint, options.columns) : []), ...closing(report, options)].join('\n'))
    },
  }
}

function chapter(result: Result, { paint, columns }: TextOptions): string[] {
  const { check, verdict, reason = '' } = result
  const { scenes: all, rest } = scenes(result)
  const title = wrap(`The gateway ${check.title}`, columns).map(paint.bold)
  const under = [check.id, ...limits(check.id, result.evidence?.target)].join(' · ')
  const width = Math.max(0, ...all.map(scene => columnsOf(called(scene))))
  const outcome = Math.max(0, ...all.map(scene => columnsOf(scene.outcome)))
  const failed = [...rest.map(f => `${f.claim}: ${f.seen}`), ...(verdict === 'error' ? [reason] : [])]
  return [
    ...title,
    paint.dim(under),
    '',
    ...(verdict === 'skip' ? wrap(`not told: ${visible(reason)}`, columns, '  ').map(paint.dim) : []),
    ...all.flatMap(scene => told(scene, width, outcome)),
    ...failed.flatMap(line => wrap(visible(line), columns, '    ').map(paint.yellow)),
  ]

  function told(scene: Scene, widest: number, wide: number): string[] {
    const wrong = scene.findings.length > 0
    const pad = (text: string, to: number) => text + ' '.repeat(Math.max(0, to - columnsOf(text)))
    const at = `+${(scene.at / 1000).toFixed(2)} s`
    const head = [
      `  ${wrong ? paint.red('✗') : paint.green('✓')} ${pad(called(scene), widest)}`,
      (wrong ? paint.red : paint.cyan)(pad(visible(scene.outcome), wide)),
      paint.dim(at.padStart(8)),
    ].join('  ')
    const notes = scene.notes.map(visible).join(' · ')
    return [
      head,
      ...(notes ? wrap(notes, columns, '      ').map(paint.dim) : []),
      ...scene.findings.flatMap(f => wrap(visible(`${bare(f.claim)}: ${f.seen}`), columns, '      ').map(paint.red)),
    ]
  }
}

/** A claim that stands below its step need not name it. */
const bare = (claim: string): string => claim.replace(/ of "[^"]*"$/, '')

/** `burst of 15`, `normal call`. */
const called = ({ label, count }: Scene): string => visible(count > 1 ? `${label} of ${count}` : label)

/** The declared limits that a chapter is about. */
function limits(id: string, target: Target | undefined): string[] {
  if (!target) return []
  const { rps, window = 1, openSeconds, bytes } = target.limits
  if (!id.startsWith('breaker-rate/')) return bytes === undefined ? [] : [`limit ${bytes.toLocaleString('en')} bytes`]
  const open = openSeconds === undefined ? [] : [`open for ${openSeconds} s`]
  return rps === undefined ? open : [`limit ${rps} requests in ${window} s`, ...open]
}
