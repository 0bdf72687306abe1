import { type Call, type FilePart, type Message, type Part, type ResultPart, textOf } from '../core/message.ts'
import type { Prompt } from '../core/ports.ts'
import { type CacheMarks, cached } from './prompt-cache.ts'
import { checkAddress, fileText, readData, toBase64 } from './provider-file.ts'
import { providerId } from './provider-id.ts'
import type { Metadata, SupportedUrls } from './provider-spec.ts'

export interface ProviderMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly ProviderPart[]
  readonly providerOptions?: Metadata
}
interface ProviderPart {
  readonly type: string
  readonly toolCallId?: string
  readonly [member: string]: unknown
}

export interface Target {
  readonly spec: string
  readonly name: string
  readonly urls: SupportedUrls
}

/** Messages in the provider's form. A message's form is made once: messages never change. */
export class PromptForms {
  readonly #target: Target
  readonly #forms = new WeakMap<Message, ProviderMessage>()

  constructor(target: Target) {
    this.#target = target
  }

  /** Contract: every call has its results right behind it, all in one message, and no id occurs twice. */
  prompt({ instructions, messages }: Prompt, marks?: CacheMarks): ProviderMessage[] {
    const system: ProviderMessage = { role: 'system', content: instructions }
    const out: ProviderMessage[] = instructions ? [marks?.instructions ? cached(system, marks) : system] : []
    const ids = new CallIds()
    for (const message of messages) {
      const form = ids.unique(this.#form(message, out.at(-1)))
      if (form.content.length) join(out, marks?.messages.includes(message.id) ? cached(form, marks) : form)
    }
    return out
  }

  #form(message: Message, before: ProviderMessage | undefined): ProviderMessage {
    if (message.role === 'system' && (!before || before.role === 'system'))
      return { role: 'system', content: textOf(message) }
    const known = this.#forms.get(message)
    if (known) return known
    const form = formOf(message, this.#target)
    this.#forms.set(message, form)
    return form
  }
}

/** All results of a batch go into one message: some providers count. */
function join(out: ProviderMessage[], form: ProviderMessage): void {
  const last = out.at(-1)
  if (form.role !== 'tool' || last?.role !== 'tool') out.push(form)
  else {
    const content = [...(last.content as ProviderPart[]), ...(form.content as ProviderPart[])]
    out[out.length - 1] = { ...last, ...form, content }
  }
}

/** Providers that number their calls from one in each reply give the same ids again and again. */
class CallIds {
  readonly #seen = new Set<string>()
  #renamed = new Map<string, string>()

  unique(form: ProviderMessage): ProviderMessage {
    if (form.role === 'assistant') {
      this.#renamed = new Map()
      for (const { type, toolCallId } of form.content as readonly ProviderPart[])
        if (type === 'tool-call' && toolCallId !== undefined) this.#add(toolCallId)
    }
    if (!this.#renamed.size || typeof form.content === 'string') return form
    const content = form.content.map(part => {
      const id = part.toolCallId === undefined ? undefined : this.#renamed.get(part.toolCallId)
      return id === undefined ? part : { ...part, toolCallId: id }
    })
    return { ...form, content }
  }

  #add(id: string): void {
    let free = id
    for (let n = 2; this.#seen.has(free); n++) free = providerId(`${id}_${n}`)
    this.#seen.add(free)
    if (free !== id) this.#renamed.set(id, free)
  }
}

function formOf(message: Message, target: Target): ProviderMessage {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message, target) }
    case 'tool': {
      const results = message.content.filter(part => part.type === 'result')
      return { role: 'tool', content: results.map(part => resultForm(part, providerId(part.id), target)) }
    }
    // Most providers take system text only at the beginning.
    case 'system':
      return { role: 'user', content: [{ type: 'text', text: `<system>\n${textOf(message)}\n</system>` }] }
    default:
      return { role: 'user', content: message.content.flatMap(part => spoken(part, target)) }
  }
}

/** Text that is blank, and thoughts with nothing after them, are refused by some: both say nothing. */
function assistantParts(message: Message, target: Target): ProviderPart[] {
  const executed = new Set(message.content.flatMap(part => (part.type === 'result' ? [part.id] : [])))
  const parts = message.content.flatMap((part): ProviderPart[] => {
    switch (part.type) {
      case 'call':
        return [callForm(part, executed.has(part.id))]
      case 'result':
        return [{ ...resultForm(part, part.id, target), ...options(part) }]
      case 'reasoning':
        return part.text || part.meta !== undefined ? [{ type: 'reasoning', text: part.text, ...options(part) }] : []
      default:
        return spoken(part, target)
    }
  })
  return parts.some(({ type }) => type !== 'reasoning') ? parts : []
}

/** Arguments that are no object (a cut call) are left out: the call's result says what was wrong with them. */
function callForm(call: Call, providerExecuted: boolean): ProviderPart {
  const { args } = call
  return {
    type: 'tool-call',
    toolCallId: providerExecuted ? call.id : providerId(call.id),
    toolName: call.name,
    input: typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {},
    ...(providerExecuted ? { providerExecuted } : {}),
    ...options(call),
  }
}

function spoken(part: Part, target: Target): ProviderPart[] {
  if (part.type === 'text') return part.text.trim() ? [{ type: 'text', text: part.text, ...options(part) }] : []
  if (part.type !== 'file') return []
  const text = fileText(part)
  if (text !== undefined) return [{ type: 'text', text }]
  return [
    {
      type: 'file',
      mediaType: part.mediaType,
      data: fileData(part, target),
      ...(part.name ? { filename: part.name } : {}),
      ...options(part),
    },
  ]
}

function fileData(part: FilePart, { spec, urls, name }: Target): unknown {
  const data = readData(part.data)
  const address = data instanceof URL
  if (address) checkAddress(data, part.mediaType, urls, name)
  if (spec !== 'v4') return data
  return address ? { type: 'url', url: data } : { type: 'data', data }
}

function resultForm(part: ResultPart, toolCallId: string, target: Target): ProviderPart {
  return { type: 'tool-result', toolCallId, toolName: part.name, output: outputOf(part, target) }
}

function outputOf({ status, value }: ResultPart, target: Target): unknown {
  const text = typeof value === 'string'
  if (status !== 'ok') return { type: text ? 'error-text' : 'error-json', value: value ?? status }
  if (text) return { type: 'text', value }
  const shown = shownParts(value)
  if (!shown) return { type: 'json', value: value ?? null }
  return { type: 'content', value: shown.map(part => contentForm(part, target)) }
}

type Shown = FilePart | { readonly type: 'text'; readonly text: string }

/** A tool shows a file, or several with text, by returning message parts. */
function shownParts(value: unknown): readonly Shown[] | undefined {
  const given = Array.isArray(value) ? value : [value]
  return given.some(isFile) && given.every(part => isFile(part) || isText(part)) ? given : undefined
}
const isText = (part: unknown): part is Shown =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
const isFile = (part: unknown): part is FilePart =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'file' &&
  'data' in part &&
  'mediaType' in part

function contentForm(part: Shown, target: Target): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType } = part
  if (target.spec === 'v4') return { type: 'file', mediaType, data: fileData(part, target) }
  const data = readData(part.data)
  const image = mediaType.startsWith('image/')
  if (data instanceof URL) return { type: image ? 'image-url' : 'file-url', url: data.href, mediaType }
  const type = target.spec === 'v2' ? 'media' : image ? 'image-data' : 'file-data'
  return { type, mediaType, data: toBase64(data) }
}

/** What the provider said about a part goes back with it: signatures of thoughts, ids of its own. */
const options = ({ meta }: { readonly meta?: unknown }): object => (meta === undefined ? {} : { providerOptions: meta })
