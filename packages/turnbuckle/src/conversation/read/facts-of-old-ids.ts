export interface AttemptFacts {
  readonly step: number
  readonly attempt: number
}

/**
 * Facts that records of the first version have only inside their ids. This is the one place that parses an id; newer
 * records have the facts as fields.
 */
export const factsOfOldIds = {
  /** `t1.s0a2` is the third attempt of step 0. Undefined for messages that no model wrote. */
  attempt(messageId: string): AttemptFacts | undefined {
    const match = /\.s(\d+)a(\d+)$/.exec(messageId)
    return match ? { step: Number(match[1]), attempt: Number(match[2]) } : undefined
  },

  /** `t1/s-1.turn#0/s0.model#1` is a checkpoint of the stage `model`; the key of a tool ends with its call instead. */
  stage(key: string): string {
    return /\/s-?\d+\.([^/]+)#\d+$/.exec(key)?.[1] ?? 'tool'
  },

  /** The keys that a checkpoint's key goes on from: `t1/s-1.turn#0` of `t1/s-1.turn#0/s0.model#1`. */
  within(key: string): readonly string[] {
    return Array.from(key.matchAll(/#\d+(?=\/)/g), ({ 0: count, index }) => key.slice(0, index + count.length))
  },

  /** The stages that a checkpoint's stage was opened in: `turn` of `t1/s-1.turn#0/s0.model#1`. */
  parents(key: string): readonly string[] {
    return Array.from(key.matchAll(/\/s-?\d+\.([^/]+)#\d+(?=\/)/g), ([, name]) => name as string)
  },
}
