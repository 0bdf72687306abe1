import { messageOf, TurnbuckleError } from './errors.ts'
import { isFile, plainPart } from './message.ts'

/**
 * A value as JSON of at most `max` characters; what is longer is left off, and nothing is looked at beyond that. Says
 * what JSON alone cannot: maps, sets, errors, big numbers, binary data in a word. Throws for what refers to itself,
 * unless there is something to put in its place.
 */
export function boundedJson(
  value: unknown,
  max: number,
  instead?: string,
): { readonly json: string; readonly whole: boolean } {
  const writer = new Writer(max, instead)
  writer.write(value)
  return { json: writer.json.slice(0, max), whole: writer.json.length <= max }
}

class Writer {
  json = ''
  readonly #max: number
  readonly #instead: string | undefined
  /** The objects around the value that is being written, outermost first. */
  readonly #around: object[] = []

  constructor(max: number, instead: string | undefined) {
    this.#max = max
    this.#instead = instead
  }

  write(value: unknown): void {
    if (this.json.length > this.#max) return
    if (typeof value !== 'object' || value === null) this.json += this.#scalar(value)
    else if (this.#around.includes(value)) this.#unsayable('refers to itself')
    else if (this.#around.length > 1000) this.#unsayable('is nested too deep')
    else {
      this.#around.push(value)
      this.#object(value)
      this.#around.pop()
    }
  }

  #unsayable(why: string): void {
    if (this.#instead === undefined) throw unsayable(why)
    this.json += JSON.stringify(this.#instead)
  }

  #scalar(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(value.slice(0, this.#max))
    if (typeof value === 'bigint') return `"${value}"`
    return JSON.stringify(value) ?? 'null'
  }

  #object(value: object): void {
    const meant = meaning(value)
    if (meant !== value) this.write(meant)
    else if (Array.isArray(value)) this.#list(value)
    else this.#members(Object.entries(value))
  }

  #list(members: readonly unknown[]): void {
    let mark = '['
    for (const member of members) {
      this.json += mark
      this.write(member)
      mark = ','
      if (this.json.length > this.#max) return
    }
    this.json += mark === '[' ? '[]' : ']'
  }

  #members(members: readonly (readonly [string, unknown])[]): void {
    let mark = '{'
    for (const [name, member] of members) {
      if (isNothing(member)) continue
      this.json += `${mark}${JSON.stringify(name)}:`
      this.write(member)
      mark = ','
      if (this.json.length > this.#max) return
    }
    this.json += mark === '{' ? '{}' : '}'
  }
}

/** The value that is written for an object that JSON has no form for; any other object stands for itself. */
function meaning(value: object): unknown {
  if (isFile(value)) return plainPart(value)
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[binary data, ${value.byteLength} bytes]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON()
  if (value instanceof Error) return messageOf(value)
  if (value instanceof Set) return [...value]
  if (!(value instanceof Map)) return value
  const entries = [...value]
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries
}

const isNothing = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

const unsayable = (why: string): TurnbuckleError =>
  new TurnbuckleError('result.invalid', `A result has to be plain data; this one ${why}.`, { kind: 'tool' })
