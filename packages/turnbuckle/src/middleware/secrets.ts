import type { Middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { byPattern, isPattern, type Pattern } from './redaction/detect.ts'
import { exactly, keys } from './redaction/keys.ts'
import { type Places, places } from './redaction/places.ts'
import { redaction } from './redaction/redaction.ts'
import { type StyleName, styleOf } from './redaction/style.ts'

/** The options of `secrets`. */
export interface SecretsOptions extends Places {
  /** Secrets that are known, word by word: `[process.env.DB_PASSWORD]`. What is missing or shorter than 6 characters is ignored. */
  readonly values?: readonly (string | undefined)[]
  /** Further patterns to look for. */
  readonly also?: readonly Pattern[]
  /** `redact` (default) `[github-token]`, `mask`, `hash`, or `block`. */
  readonly style?: StyleName | 'block'
  /** Keys the hashes, where `style` is `hash`. */
  readonly key?: string
  /** The rule for calls with a secret in their arguments: `block` by default, so that none leaves through a tool. */
  readonly calls?: 'pass' | 'block'
  /** Only needed where an agent has several. `secrets` by default. */
  readonly name?: string
}

const shape = (): Shape<SecretsOptions> => ({
  ...places(),
  values: is.list(is.either(is.text, is.oneOf(undefined))),
  also: is.list(isPattern()),
  style: is.oneOf('redact', 'mask', 'hash', 'block'),
  key: is.text,
  calls: is.oneOf('pass', 'block'),
  name: is.text,
})

/**
 * Keeps keys and tokens out of what is sent, shown and recorded, and blocks calls that carry one: cloud and API keys,
 * access tokens, JWTs, private keys, logins inside addresses, and the values you name. Fails closed.
 *
 * ```ts
 * createAgent({ model, tools, use: [secrets({ values: [process.env.DB_PASSWORD] })] })
 * ```
 */
export function secrets(options: SecretsOptions = {}): Middleware[] {
  checkOptions('secrets', options, shape)
  const { values = [], also = [], style = 'redact', key, calls = 'block' } = options
  const known = values.filter(value => value !== undefined && value.length >= 6) as string[]
  return redaction({
    ...options,
    name: options.name ?? 'secrets',
    description: 'Takes keys and passwords out of what is told and kept.',
    detectors: [...known.map(value => exactly(value)), ...keys, ...also.map(byPattern)],
    style: style === 'block' ? style : styleOf(style, key),
    calls,
  })
}
