import { isFile, type Message, type Part } from '../../core/message.ts'
import { type Detector, findAll } from './detect.ts'
import { render, type Style } from './style.ts'

/** A value without what the detectors know, and which kinds there were. The value itself when there were none. */
interface Cleaned<Value> {
  readonly value: Value
  readonly kinds: readonly string[]
}

export interface Cleaner {
  text(text: string): Cleaned<string>
  /** Any plain data: texts, keys and numbers in it. */
  data(value: unknown): Cleaned<unknown>
  /** What a tool gave. Files that it shows are not looked into. */
  result(value: unknown): Cleaned<unknown>
  /** All but the arguments of calls. */
  message(message: Message): Cleaned<Message>
  /** The arguments of calls, and which calls had something in them. */
  calls(message: Message): { readonly value: Message; readonly found: readonly string[] }
}

export function cleaner(detectors: readonly Detector[], style: Style): Cleaner {
  const text = (given: string): Cleaned<string> => {
    const found = findAll(given, detectors)
    return { value: render(given, found, style), kinds: found.map(({ kind }) => kind) }
  }
  const data = (given: unknown): Cleaned<unknown> => {
    if (typeof given === 'string') return text(given)
    if (typeof given === 'number') {
      const cleaned = text(String(given))
      return cleaned.kinds.length ? cleaned : { value: given, kinds: [] }
    }
    if (typeof given !== 'object' || given === null) return { value: given, kinds: [] }
    return Array.isArray(given) ? list(given) : record(given)
  }
  const result = (given: unknown): Cleaned<unknown> => {
    if (isFile(given)) return { value: given, kinds: [] }
    return Array.isArray(given) && given.some(isFile) ? list(given, result) : data(given)
  }
  const list = (given: readonly unknown[], clean = data): Cleaned<unknown> => {
    const members = given.map(member => clean(member))
    const kinds = members.flatMap(member => member.kinds)
    return { value: kinds.length ? members.map(({ value }) => value) : given, kinds }
  }
  const record = (given: object): Cleaned<unknown> => {
    const members = Object.entries(given).map(([key, value]) => ({ key: text(key), value: data(value) }))
    const kinds = members.flatMap(({ key, value }) => [...key.kinds, ...value.kinds])
    if (!kinds.length) return { value: given, kinds }
    return { value: Object.fromEntries(members.map(({ key, value }) => [key.value, value.value])), kinds }
  }
  const part = (given: Part): Cleaned<Part> => {
    if (given.type === 'text' || given.type === 'reasoning') {
      const { value, kinds } = text(given.text)
      return { value: kinds.length ? { ...given, text: value } : given, kinds }
    }
    if (given.type !== 'result') return { value: given, kinds: [] }
    const { value, kinds } = result(given.value)
    if (given.args === undefined) return { value: kinds.length ? { ...given, value } : given, kinds }
    const ran = data(given.args)
    return { value: { ...given, value, args: ran.value }, kinds: [...kinds, ...ran.kinds] }
  }
  const message = (given: Message): Cleaned<Message> => {
    const parts = given.content.map(part)
    const kinds = parts.flatMap(cleaned => cleaned.kinds)
    return { value: kinds.length ? { ...given, content: parts.map(({ value }) => value) } : given, kinds }
  }
  const calls = (given: Message): ReturnType<Cleaner['calls']> => {
    const found: string[] = []
    const content = given.content.map(part => {
      if (part.type !== 'call') return part
      const { value, kinds } = data(part.args)
      if (!kinds.length) return part
      found.push(part.id)
      return { ...part, args: value }
    })
    return { value: found.length ? { ...given, content } : given, found }
  }
  return { text, data, result, message, calls }
}
