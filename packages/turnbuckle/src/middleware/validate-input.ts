import type { Maybe } from '../core/base/maybe.ts'
import { type Message, textOf } from '../core/base/message.ts'
import type { Schema } from '../core/base/ports.ts'
import { block, type Directive, stop } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, checkSome, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { fit } from './schema-fit.ts'

/** The options of `validateInput`. */
export interface ValidateInputOptions {
  /** Characters. */
  readonly minLength?: number
  /** The most characters of text. */
  readonly maxLength?: number
  /** The pattern that the text must match. */
  readonly pattern?: RegExp
  /** Any Standard Schema, for the text. */
  readonly schema?: Schema
  /** The kinds of files that may be attached: `image/png`, `image/*`. All by default. */
  readonly mediaTypes?: readonly string[]
  /** The most files. */
  readonly maxFiles?: number
  /** Returns what is wrong, or nothing. */
  readonly check?: (message: Message) => Maybe<string | undefined>
  /** Answers a bad message, which is then recorded; without it the message is refused and leaves no trace. */
  readonly say?: (problem: string) => string
  /** Only needed where an agent has several. `validate-input` by default. */
  readonly name?: string
}

const shape = (): Shape<ValidateInputOptions> => ({
  minLength: is.number(0),
  maxLength: is.number(0),
  pattern: is.pattern,
  schema: is.schema,
  mediaTypes: is.list(is.text),
  maxFiles: is.number(0),
  check: is.run,
  say: is.run,
  name: is.text,
})

/**
 * Checks what begins a turn before the model sees it; the turn is stopped with what is wrong. Behind everything that
 * rewrites the message, so it sees the one that will be used. A guard: when the check fails itself, the turn fails.
 *
 * ```ts
 * createAgent({ model, use: [validateInput({ maxLength: 4000, mediaTypes: ['image/*'] })] })
 * ```
 */
export function validateInput(options: ValidateInputOptions): Middleware {
  checkOptions('validateInput', options, shape)
  checkSome('validateInput', options ?? {}, [
    'minLength',
    'maxLength',
    'pattern',
    'schema',
    'mediaTypes',
    'maxFiles',
    'check',
  ])
  const { say, name = 'validate-input' } = options
  const refuse = (problem: string): Directive<'block' | 'stop'> =>
    say ? stop(problem, { say: say(problem) }) : block(problem)
  return middleware({
    name,
    description: 'Refuses messages that do not fit.',
    guard: true,
    async beforeInput({ message }) {
      const problem =
        textProblem(textOf(message), options) ??
        fileProblem(message, options) ??
        (await schemaProblem(textOf(message), options.schema)) ??
        (await options.check?.(message))
      return problem === undefined ? undefined : refuse(problem)
    },
  })
}

function textProblem(text: string, { minLength = 0, maxLength = Infinity, pattern }: ValidateInputOptions) {
  if (text.length < minLength) return `The message has ${text.length} characters; at least ${minLength} are needed.`
  if (text.length > maxLength) return `The message has ${text.length} characters; ${maxLength} are allowed.`
  return pattern && text.search(pattern) < 0 ? 'The message does not have the expected form.' : undefined
}

function fileProblem({ content }: Message, { mediaTypes, maxFiles = Infinity }: ValidateInputOptions) {
  const files = content.filter(part => part.type === 'file')
  if (files.length > maxFiles) return `There are ${files.length} files; ${maxFiles} are allowed.`
  const fits = (type: string) =>
    !mediaTypes ||
    mediaTypes.some(wanted => wanted === type || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1))))
  const stray = files.find(({ mediaType }) => !fits(mediaType))
  return stray ? `Files of the type ${stray.mediaType} are not allowed.` : undefined
}

async function schemaProblem(text: string, schema: Schema | undefined): Promise<string | undefined> {
  const found = schema && (await fit(schema, text))
  return found && 'problem' in found ? found.problem : undefined
}
