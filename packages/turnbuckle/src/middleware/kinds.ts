import { errorKinds } from '../core/base/errors.ts'
import { resultStatuses } from '../core/base/message.ts'

/** The values that an option may have, in words and in code. Only functions and plain objects here: bundlers drop unused ones. */
export interface Kind {
  readonly is: string
  readonly needed?: boolean
  fits(value: unknown): boolean
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTool = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp
const isModel = (value: unknown): boolean =>
  isObject(value) && typeof value.id === 'string' && typeof value.stream === 'function'

export const text: Kind = { is: 'text', fits: value => typeof value === 'string' }
export const flag: Kind = { is: 'true or false', fits: value => typeof value === 'boolean' }
export const run: Kind = { is: 'a function', fits: value => typeof value === 'function' }
export const pattern: Kind = { is: 'a regular expression', fits: value => value instanceof RegExp }
export const plain: Kind = { is: 'an object', fits: isObject }
export const model: Kind = { is: 'a model { id, stream }', fits: isModel }
export const judge: Kind = {
  is: 'a function, or a model { id, stream }',
  fits: value => typeof value === 'function' || isModel(value),
}
export const schema: Kind = {
  is: 'a Standard Schema (zod, valibot, arktype)',
  fits: value => (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value,
}
export const share: Kind = {
  is: 'a number from 0 to 1',
  fits: value => typeof value === 'number' && value >= 0 && value <= 1,
}
export const tools: Kind = {
  is: 'a list of names and regular expressions',
  fits: value => Array.isArray(value) && value.every(isTool),
}
export const scope = (): Kind => oneOf('turn', 'conversation')
export const errorKind = (): Kind => oneOf(...errorKinds)
export const status = (): Kind => oneOf(...Object.keys(resultStatuses))

export const number = (least: number): Kind => ({
  is: least === Number.MIN_VALUE ? 'a number greater than 0' : `a number of at least ${least}`,
  fits: value => typeof value === 'number' && value >= least,
})
export const oneOf = (...values: readonly unknown[]): Kind => ({
  is: values.map(value => JSON.stringify(value)).join(' or '),
  fits: value => values.includes(value),
})
export const list = (of: Kind): Kind => ({
  is: `a list, each of it ${of.is}`,
  fits: value => Array.isArray(value) && value.every(of.fits),
})
/** At least one. */
export const some = (of: Kind): Kind => ({
  is: `a list of at least one, each ${of.is}`,
  fits: value => Array.isArray(value) && value.length > 0 && value.every(of.fits),
})
export const record = (of: Kind, keys: Kind = text): Kind => ({
  is: keys === text ? `an object, each value ${of.is}` : `an object, each key ${keys.is}, each value ${of.is}`,
  fits: value => isObject(value) && Object.values(value).every(of.fits) && Object.keys(value).every(keys.fits),
})
/** An object with at least these members. */
export const shaped = (is: string, members: Readonly<Record<string, Kind>>): Kind => ({
  is,
  fits: value => isObject(value) && Object.entries(members).every(([name, of]) => of.fits(value[name])),
})
/** An object with these members and no others: a misspelt option would have no effect. */
export const only = (is: string, members: Readonly<Record<string, Kind>>): Kind => ({
  is,
  fits: value =>
    shaped(is, members).fits(value) && Object.keys(Object(value)).every(name => Object.hasOwn(members, name)),
})
export const optional = (of: Kind): Kind => ({ is: of.is, fits: value => value === undefined || of.fits(value) })
export const either = (...kinds: readonly Kind[]): Kind => ({
  is: kinds.map(({ is }) => is).join(', or '),
  fits: value => kinds.some(({ fits }) => fits(value)),
})
/** An object with these methods. */
export const port = (...methods: readonly string[]): Kind => ({
  is: `an object with ${methods.join('() and ')}()`,
  fits(value) {
    const given = value as Readonly<Record<string, unknown>> | null | undefined
    return typeof given === 'object' && methods.every(method => typeof given?.[method] === 'function')
  },
})
export const needed = (of: Kind): Kind => ({ ...of, needed: true })
