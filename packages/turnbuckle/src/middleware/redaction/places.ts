import type { Shape } from '../check-options.ts'
import * as is from '../kinds.ts'
import type { Detector } from './detect.ts'
import type { Style } from './style.ts'

/** The places in which a redaction looks. */
export interface Places {
  /** The person's messages. On by default. */
  readonly input?: boolean
  /** The model's replies, before anyone sees them. On by default. */
  readonly output?: boolean
  /** The results of tools. On by default. */
  readonly results?: boolean
}

export const places = (): Shape<Places> => ({ input: is.flag, output: is.flag, results: is.flag })

export interface Redaction extends Places {
  readonly name: string
  readonly description: string
  /** 1000 by default: behind what others put in. */
  readonly priority?: number
  readonly detectors: readonly Detector[]
  readonly style: Style | 'block'
  /** The rule for calls with a find in their arguments. Those are never rewritten: a tool runs with what was asked, or not at all. */
  readonly calls: 'pass' | 'block'
}
