import type { Middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { byPattern, type Detector } from './redaction/detect.ts'
import { exactly } from './redaction/keys.ts'
import { type Places, places } from './redaction/places.ts'
import { redaction } from './redaction/redaction.ts'

/** The options of `redact`. */
export interface RedactOptions extends Places {
  /**
   * The most characters that a match of a regular expression has, what it looks ahead included. As many are held back while a reply
   * streams. 64 by default.
   */
  readonly longest?: number
  /** `block` (default): a call with a match in its arguments does not run, and is shown without it. `pass`: calls are left alone. */
  readonly calls?: 'pass' | 'block'
  /** Only needed where an agent has several. `redact` by default. */
  readonly name?: string
}

const word: is.Kind = { is: 'a word', fits: value => typeof value === 'string' && value !== '' }

const shape = (): Shape<RedactOptions> => ({
  ...places(),
  longest: is.number(1),
  calls: is.oneOf('pass', 'block'),
  name: is.text,
})

/**
 * Puts a replacement in place of a word, or of all that a regular expression matches, wherever it would be sent, shown or recorded: in
 * messages, replies, reasoning, calls, results, and the reasons of decisions. A match is found across the borders of chunks. Fails
 * closed: when it breaks, nothing is shown.
 *
 * ```ts
 * createAgent({ model, use: [redact(/EMP-\d{6}/, '[employee]')] })
 * ```
 */
export function redact(
  pattern: string | RegExp | readonly (string | RegExp)[],
  replacement = '***',
  options: RedactOptions = {},
): Middleware[] {
  const patterns = Array.isArray(pattern) ? pattern : [pattern]
  checkArgument('redact', 'pattern', patterns, is.some(is.either(word, is.pattern)))
  checkArgument('redact', 'replacement', replacement, is.text)
  checkOptions('redact', options, shape)
  const { longest = 64, calls = 'block', name = 'redact' } = options
  const detect = (each: string | RegExp): Detector =>
    typeof each === 'string' ? exactly(each, 'redacted') : byPattern({ kind: 'redacted', pattern: each, longest })
  return redaction({
    ...options,
    name,
    description: 'Takes what fits its patterns out of messages, replies and results.',
    detectors: patterns.map(detect),
    style: () => replacement,
    calls,
  })
}
