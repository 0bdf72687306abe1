import type { Occurrence } from '../../core/durable/journal-port.ts'

export interface AttemptFacts {
  readonly step: number
  readonly attempt: number
}

/**
 * Facts that records of versions before 2026-11 have only inside their ids. This is the one place that parses an id;
 * newer records have the facts as fields.
 */
export const factsOfOldIds = {
  /** `t1.s0a2` is the third attempt of step 0. Undefined for messages that no model wrote. */
  attempt(messageId: string): AttemptFacts | undefined {
    const match = /\.s(\d+)a(\d+)$/.exec(messageId)
    return match ? { step: Number(match[1]), attempt: Number(match[2]) } : undefined
  },

  /** `t1/s-1.turn#0/s0.step#0/s0.model#1` is the second opening of the stage `model` there. */
  checkpoint(key: string): { readonly stage: string; readonly occurrence: Occurrence } {
    const end = key.lastIndexOf('#')
    const place = key.slice(0, end)
    // The place of a tool ends with `tool:` and the id of its call.
    const stage = /\/s-?\d+\.([^/]+)$/.exec(place)?.[1] ?? 'tool'
    return { stage, occurrence: { place, count: Number(key.slice(end + 1)) } }
  },
}
