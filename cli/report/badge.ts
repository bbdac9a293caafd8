import { exitCode, type Policy, summary } from '../../kit/report.ts'
import type { Report } from '../../kit/types.ts'

const COLOUR = { 0: '#2e7d32', 1: '#c62828', 3: '#6d6d6d', 130: '#6d6d6d' } as const
const LABEL = 'MCP gateway'
/** The width of a letter in the badge's font, on average, in px. */
const LETTER = 6.6
const PAD = 10

/** A badge as SVG: whether the gateway conforms, and how many checks say so. */
export function badge(report: Report, policy: Policy): string {
  const { pass, fail } = summary(report.results)
  const code = exitCode(report, policy)
  const says = {
    0: `conforms · ${pass} passed`,
    1: `${fail} of ${pass + fail} failed`,
    3: 'not judged',
    130: 'interrupted',
  }[code]
  const [left, right] = [LABEL, says].map(text => Math.round(text.length * LETTER + 2 * PAD)) as [number, number]
  const title = `${LABEL}: ${says}`
  const text = (at: number, words: string) => `<text x="${at}" y="14" fill="#fff" text-anchor="middle">${words}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}"><title>${title}</title><rect width="${left}" height="20" rx="3" fill="#444"/><rect x="${left}" width="${right}" height="20" rx="3" fill="${COLOUR[code]}"/><rect x="${left}" width="4" height="20" fill="${COLOUR[code]}"/><g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left / 2, LABEL)}${text(left + right / 2, says)}</g></svg>`
}
