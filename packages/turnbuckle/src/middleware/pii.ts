import type { Middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { byPattern, isPattern, type Pattern } from './redaction/detect.ts'
import { type PersonalKind, personal } from './redaction/personal.ts'
import { type Places, places } from './redaction/places.ts'
import { redaction } from './redaction/redaction.ts'
import { type StyleName, styleOf } from './redaction/style.ts'

/** The options of `pii`. */
export interface PiiOptions extends Places {
  /** The kinds of personal data to look for; all of them by default. */
  readonly kinds?: readonly PersonalKind[]
  /** Further patterns to look for: an employee's number. */
  readonly also?: readonly Pattern[]
  /**
   * `redact` (default) `[email]`, `mask` `j***@example.com`, `hash` `[email 5d41402abc4b]`, `block`: the message is
   * refused, the reply stopped, the result withheld.
   */
  readonly style?: StyleName | 'block'
  /** For `hash`: the same key gives the same hash tomorrow. Without it a new one is made for each agent. */
  readonly key?: string
  /** `block`: a call with personal data in its arguments does not run. `pass` by default; arguments are never rewritten. */
  readonly calls?: 'pass' | 'block'
  /** Only needed where an agent has several. `pii` by default. */
  readonly name?: string
}

const shape = (): Shape<PiiOptions> => ({
  ...places(),
  kinds: is.list(is.oneOf(...Object.keys(personal))),
  also: is.list(isPattern()),
  style: is.oneOf('redact', 'mask', 'hash', 'block'),
  key: is.text,
  calls: is.oneOf('pass', 'block'),
  name: is.text,
})

/**
 * Keeps personal data out of what is sent, shown and recorded: e-mail addresses, card numbers (with a valid check
 * digit), social security numbers, phone numbers and IP addresses. Deltas are held back while they may be the beginning
 * of one, so none is seen in halves. Fails closed: when it breaks, nothing is shown.
 *
 * ```ts
 * createAgent({ model, use: [pii({ style: 'mask' })] })
 * ```
 */
export function pii(options: PiiOptions = {}): Middleware[] {
  checkOptions('pii', options, shape)
  const { kinds = Object.keys(personal) as PersonalKind[], also = [], style = 'redact', key, calls = 'pass' } = options
  return redaction({
    ...options,
    name: options.name ?? 'pii',
    description: 'Takes personal data out of messages, replies and results.',
    detectors: [...kinds.flatMap(kind => personal[kind]), ...also.map(byPattern)],
    style: style === 'block' ? style : styleOf(style, key),
    calls,
  })
}
