import { abortableSleep } from '../core/async/abortable-sleep.ts'
import { type Call, type Message, type ResultPart, textOf } from '../core/base/message.ts'
import { type Chunk, type Clock, type Model, type Prompt, systemClock, type ToolSpec } from '../core/base/ports.ts'
import { readRequests, type Wish } from './offline-requests.ts'
import { introduction, missing, notUnderstood, summary } from './offline-words.ts'

/** The options of `offline`. */
export interface OfflineOptions {
  /** Milliseconds between words, so that streaming can be seen. 8 by default; 0 turns it off. */
  readonly delayMs?: number
  /** The clock that delays go by. */
  readonly clock?: Clock
}

/**
 * A scripted model that needs no key and no network: it says what it is, and drives the real tools by plain requests
 * ("read README.md and list files", "what is 17*23", "wait 5 seconds", "fail", "ask me"), any other tool by its name and
 * arguments (`refund {"order": "A7"}`). Deterministic.
 *
 * ```ts
 * createAgent({ model: offline(), use: [offlineTools()] })
 * ```
 */
export function offline(options: OfflineOptions = {}): Model {
  const { delayMs = 8, clock = systemClock } = options
  return {
    id: 'offline',
    async *stream(prompt, { signal }) {
      const { text, calls } = reply(prompt)
      for (const chunk of said(text, calls)) {
        if (delayMs && chunk.type !== 'call') await abortableSleep(clock, delayMs, signal)
        yield chunk
      }
      yield { type: 'usage', inputTokens: tokensOf(prompt), outputTokens: tokens(text, calls), cost: 0 }
      yield { type: 'finish', reason: calls.length ? 'tool-calls' : 'stop' }
    },
  }
}

/** Word by word; of a call a piece of its arguments at a time. */
function* said(text: string, calls: readonly CallChunk[]): Generator<Chunk> {
  for (const word of text.match(/\s*\S+\s*/g) ?? []) yield { type: 'text', text: word }
  for (const call of calls) {
    const { id, name, args } = call
    for (const piece of JSON.stringify(args).match(/.{1,12}/gs) ?? []) yield { type: 'calling', id, name, text: piece }
    yield call
  }
}

type CallChunk = Extract<Chunk, { type: 'call' }>

interface Reply {
  readonly text: string
  readonly calls: readonly CallChunk[]
}

/** Everything since its last message is answered: results are summed up, requests become calls. */
function reply({ messages, tools }: Prompt): Reply {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const fresh = messages.slice(last + 1)
  const results = fresh.flatMap(message => (message.role === 'tool' ? message.content : []))
  const sums = results
    .filter((part): part is ResultPart => part.type === 'result')
    .map(part => summary(part, argsOf(messages[last], part.id)))
  const said = fresh.filter(({ role }) => role === 'user').map(textOf)
  const { texts, wishes } = respond(said, tools)
  const calls = wishes.map(
    ({ tool, args }, i): CallChunk => ({ type: 'call', id: `offline_${messages.length}_${i}`, name: tool, args }),
  )
  const text = [...sums, ...texts].join('\n\n')
  return { text: text || (calls.length ? leadIn(calls) : 'That is all.'), calls }
}

const leadIn = (calls: readonly CallChunk[]): string =>
  calls.length === 1
    ? `I will use ${calls[0]?.name}.`
    : `I will use ${calls.map(({ name }) => name).join(' and ')} at once.`

/** The texts to say and the calls to make. */
function respond(said: readonly string[], tools: readonly ToolSpec[]): { texts: string[]; wishes: Wish[] } {
  const texts: string[] = []
  const wishes: Wish[] = []
  const unclear: string[] = []
  for (const request of said.flatMap(readRequests)) {
    if (typeof request === 'string') {
      const counted = counting(request)
      if (counted) texts.push(counted)
      else unclear.push(request)
    } else if (tools.some(({ name }) => name === request.tool)) wishes.push(fitted(request, tools))
    else texts.push(missing(request.tool))
  }
  if (unclear.length && (wishes.length || texts.length)) texts.push(...unclear.map(notUnderstood))
  else if (said.length && !wishes.length && !texts.length) texts.push(introduction(tools))
  return { texts, wishes }
}

/** "count to 20": something long to watch, and to interrupt. */
function counting(request: string): string | undefined {
  const to = Number(/^count (?:up )?to (\d{1,4})$/i.exec(request)?.[1])
  return to ? Array.from({ length: Math.min(to, 1000) }, (_, i) => i + 1).join(' ') : undefined
}

/** Other names that a tool may have for what is found and what replaces it. */
const synonyms: Readonly<Record<string, RegExp>> = { find: /^(old|search|find)/i, replace: /^(new|replace)/i }

/** Puts the arguments under the names that the tool's schema has. */
function fitted({ tool, args }: Wish, tools: readonly ToolSpec[]): Wish {
  const schema = tools.find(({ name }) => name === tool)?.schema as { properties?: object } | undefined
  const known = Object.keys(schema?.properties ?? {})
  const named = (key: string): string =>
    known.includes(key) ? key : (known.find(name => synonyms[key]?.test(name)) ?? key)
  return { tool, args: Object.fromEntries(Object.entries(args).map(([key, value]) => [named(key), value])) }
}

const argsOf = (message: Message | undefined, callId: string): unknown =>
  message?.content.find((part): part is Call => part.type === 'call' && part.id === callId)?.args

/** About four characters each: an estimate, as nothing is paid. */
const tokens = (...values: unknown[]): number => Math.ceil(JSON.stringify(values).length / 4)
const tokensOf = ({ messages, tools, instructions }: Prompt): number =>
  tokens(
    instructions,
    tools,
    messages.map(({ role, content }) => [role, content]),
  )
