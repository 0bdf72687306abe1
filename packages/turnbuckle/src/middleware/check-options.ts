import { nearest, type TurnbuckleError } from '../core/base/errors.ts'
import { isObject, type Kind } from './kinds.ts'
import { optionError } from './option.ts'

/** A kind for each option there is: a new option without one is a type error. Made by a function, so that bundlers can leave out what nobody uses. */
export type Shape<Options> = { readonly [Key in keyof Required<Options>]: Kind }

/** Something that is passed by itself, and not among the options. */
export function checkArgument(owner: string, name: string, value: unknown, { is, fits }: Kind): void {
  if (fits(value)) return
  throw optionError(`${owner} needs ${name}: ${is}, not ${shown(value)}. Write ${owner}(${name}, …).`)
}

/** A wrong option would be without effect, or fail in the middle of a turn: better to hear of it when the agent is made. */
export function checkOptions<Options>(owner: string, given: Options | undefined, shape: () => Shape<Options>): void {
  const kinds = shape() as Readonly<Record<string, Kind>>
  if (given !== undefined && !isObject(given))
    throw optionError(
      `${owner} takes its options as an object, not ${shown(given)}: { ${Object.keys(kinds).join(', ')} }.`,
    )
  const options: Readonly<Record<string, unknown>> = given ?? {}
  for (const name of Object.keys(options)) if (!Object.hasOwn(kinds, name)) throw unknownOption(owner, name, kinds)
  for (const [name, { is, needed, fits }] of Object.entries(kinds)) {
    const value = options[name]
    if (value === undefined ? needed : !fits(value))
      throw optionError(
        value === undefined
          ? `${owner} needs ${name}: ${is}. Write ${owner}({ ${name}: … }).`
          : `${owner}: ${name} must be ${is}, not ${shown(value)}.`,
      )
  }
}

/** Without any of these it would do nothing. */
export function checkSome<Options extends object>(
  owner: string,
  given: Options,
  names: readonly (keyof Options & string)[],
): void {
  if (names.some(name => given[name] !== undefined)) return
  throw optionError(`${owner} would do nothing: give it ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`)
}

function unknownOption(owner: string, name: string, kinds: object): TurnbuckleError {
  const known = Object.keys(kinds)
  const close = nearest(name, known)
  const hint = close ? ` Did you mean "${close}"?` : ''
  return optionError(`${owner} has no option "${name}".${hint} Options: ${known.join(', ')}.`)
}

/** In a few words: `3`, `"text"`, `a list`. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.length ? `a list of ${shown(value[0])}` : 'an empty list'
  return isObject(value) ? `an object { ${Object.keys(value).slice(0, 5).join(', ')} }` : String(value)
}
