import type { Message } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { byPattern, type Detector } from './redaction/detect.ts'
import { type Places, places } from './redaction/places.ts'
import { redaction } from './redaction/redaction.ts'

/** The options of `sanitize`. */
export interface SanitizeOptions extends Places {
  /** Takes out terminal escapes and control characters; tabs and line ends stay. On by default. */
  readonly controls?: boolean
  /** Takes out what cannot be seen but is read by a model: zero-width, direction and tag characters. On by default. */
  readonly invisible?: boolean
  /** The Unicode form of the message. `NFC` by default, `false` leaves it. */
  readonly normalize?: 'NFC' | 'NFKC' | false
  /** Takes spaces off the message's ends. On by default. */
  readonly trim?: boolean
}

const escapeStart = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*`
const textStart = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*`
/** Colours and cursor moves; titles, links and clipboards, which carry text up to their end; single letters. */
const escapes = new RegExp(String.raw`${escapeStart}[@-~]|${textStart}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-Z\\^-~]`)
const unfinished = new RegExp(String.raw`(?:${escapeStart}|${textStart}\x1b?|\x1b[ -/]*)$`)
const longest = 4096

const escapeSequence: Detector = {
  ...byPattern({ kind: 'escape', pattern: escapes, longest }),
  hold(text) {
    const from = Math.max(0, text.length - longest)
    const at = text.slice(from).search(unfinished)
    return at < 0 ? text.length : from + at
  },
}
const control = byPattern({
  kind: 'control',
  pattern: /(?![\t\n\r])\p{Cc}/u,
  longest: 1,
  chars: /(?!)/,
})
/** Joiners stay: scripts and emoji need them. */
const invisible = byPattern({
  kind: 'invisible',
  pattern: /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\udb40[\udc00-\udc7f]/,
  longest: 2,
  chars: /\udb40/,
})

const shape = (): Shape<SanitizeOptions> => ({
  ...places(),
  controls: is.flag,
  invisible: is.flag,
  normalize: is.oneOf('NFC', 'NFKC', false),
  trim: is.flag,
})

/**
 * Cleans what a person, a model or a tool says of what is not text: terminal escapes, control characters, characters that
 * cannot be seen. Across deltas too. Comes before `pii` and `secrets`, so that nothing hides from them. Fails closed.
 *
 * ```ts
 * createAgent({ model, use: [sanitize()] })
 * ```
 */
export function sanitize(options: SanitizeOptions = {}): Middleware[] {
  checkOptions('sanitize', options, shape)
  const { controls = true, invisible: unseen = true, normalize = 'NFC', trim = true, input = true } = options
  const tidy = (text: string) => {
    const formed = normalize ? text.normalize(normalize) : text
    return trim ? formed.trim() : formed
  }
  return [
    ...redaction({
      ...options,
      name: 'sanitize',
      description: 'Takes control characters and hidden text out of what is said.',
      priority: 900,
      detectors: [...(controls ? [escapeSequence, control] : []), ...(unseen ? [invisible] : [])],
      style: () => '',
      calls: 'pass',
    }),
    middleware({
      name: 'sanitize.form',
      description: 'Gives the characters of a message one form.',
      priority: 901,
      beforeInput(ctx) {
        if (input) ctx.message = mapText(ctx.message, tidy)
      },
    }),
  ]
}

const mapText = (message: Message, change: (text: string) => string): Message => ({
  ...message,
  content: message.content.map(part => (part.type === 'text' ? { ...part, text: change(part.text) } : part)),
})
