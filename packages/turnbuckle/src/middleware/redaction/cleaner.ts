import { isFile, type Message, type Part } from '../../core/base/message.ts'
import { type Detector, findAll } from './detect.ts'
import { render, type Style } from './style.ts'

/** A value without what the detectors know, and which kinds there were. The value itself when there were none. */
interface Cleaned<Value> {
  readonly value: Value
  readonly kinds: readonly string[]
}

/** Takes out what the detectors know, in the given style. */
export class Cleaner {
  readonly #detectors: readonly Detector[]
  readonly #style: Style

  constructor(detectors: readonly Detector[], style: Style) {
    this.#detectors = detectors
    this.#style = style
  }

  text(given: string): Cleaned<string> {
    const found = findAll(given, this.#detectors)
    return { value: render(given, found, this.#style), kinds: found.map(({ kind }) => kind) }
  }

  /** Any plain data: texts, keys and numbers in it. */
  data(given: unknown): Cleaned<unknown> {
    if (typeof given === 'string') return this.text(given)
    if (typeof given === 'number') {
      const cleaned = this.text(String(given))
      return cleaned.kinds.length ? cleaned : untouched(given)
    }
    if (typeof given !== 'object' || given === null) return untouched(given)
    return Array.isArray(given) ? list(given, member => this.data(member)) : this.#record(given)
  }
  #record(given: object): Cleaned<unknown> {
    const members = Object.entries(given).map(([key, value]) => ({ key: this.text(key), value: this.data(value) }))
    const kinds = members.flatMap(({ key, value }) => [...key.kinds, ...value.kinds])
    if (!kinds.length) return untouched(given)
    return { value: Object.fromEntries(members.map(({ key, value }) => [key.value, value.value])), kinds }
  }

  /**
   * A provider's own data, which goes back to it unchanged or not at all: what has a find in it (words that it quotes) is left out. Signatures
   * and ids are no words, and are not looked into.
   */
  meta(given: unknown): Cleaned<unknown> {
    const { kinds } = this.data(withoutTokens(given))
    return { value: kinds.length ? undefined : given, kinds }
  }

  /** Cleans the result of a tool. Files that it shows are not looked into. */
  result(given: unknown): Cleaned<unknown> {
    if (isFile(given)) return untouched(given)
    return Array.isArray(given) && given.some(isFile) ? list(given, member => this.result(member)) : this.data(given)
  }

  /** All but the arguments of calls. */
  message(given: Message): Cleaned<Message> {
    const { value: content, kinds } = list(given.content, part => this.#part(part))
    return { value: kinds.length ? { ...given, content } : given, kinds }
  }
  #part(given: Part): Cleaned<Part> {
    if (given.type === 'text' || given.type === 'reasoning') {
      const { value: text, kinds: said } = this.text(given.text)
      const { kinds: quoted } = this.meta(given.meta)
      if (!quoted.length) return { value: said.length ? { ...given, text } : given, kinds: said }
      const { meta: _, ...rest } = given
      return { value: { ...rest, text }, kinds: [...said, ...quoted] }
    }
    if (given.type !== 'result') return untouched(given)
    const { value, kinds } = this.result(given.value)
    if (given.args === undefined) return { value: kinds.length ? { ...given, value } : given, kinds }
    const ran = this.data(given.args)
    return { value: { ...given, value, args: ran.value }, kinds: [...kinds, ...ran.kinds] }
  }

  /** The arguments of calls, and which calls had something in them. */
  calls(given: Message): { readonly value: Message; readonly found: readonly string[] } {
    const found: string[] = []
    const content = given.content.map(part => {
      if (part.type !== 'call') return part
      const { value, kinds } = this.data(part.args)
      if (!kinds.length) return part
      found.push(part.id)
      return { ...part, args: value }
    })
    return { value: found.length ? { ...given, content } : given, found }
  }
}

const token = /^[\w+/=-]{24,}$/
const withoutTokens = (given: unknown): unknown => {
  if (typeof given === 'string') return token.test(given) ? '' : given
  if (Array.isArray(given)) return given.map(withoutTokens)
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, withoutTokens(value)]))
}

const untouched = <Value>(value: Value): Cleaned<Value> => ({ value, kinds: [] })

function list<Member>(
  given: readonly Member[],
  clean: (member: Member) => Cleaned<Member>,
): Cleaned<readonly Member[]> {
  const members = given.map(clean)
  const kinds = members.flatMap(member => member.kinds)
  return { value: kinds.length ? members.map(({ value }) => value) : given, kinds }
}
