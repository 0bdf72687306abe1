import type { Decision } from 'turnbuckle'
import { oneLine } from './one-line.ts'

/** Decisions of a turn, a line each; `✓` marks the directive that won. */
export function decisionLines(decisions: readonly Decision[]): readonly string[] {
  if (!decisions.length) return ['Nobody steered: the turn went as the model wanted.']
  return decisions.map(({ won, directive, by, at, step, callId, reason }) => {
    const where = `${at}${callId ? ` (${oneLine(callId)})` : ''}, step ${step}`
    return `${won ? '✓' : '·'} ${directive} by ${oneLine(by)} at ${where}${reason ? `: ${oneLine(String(reason), 200)}` : ''}`
  })
}
