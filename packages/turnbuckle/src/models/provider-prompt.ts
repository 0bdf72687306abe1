import { type Call, type Message, type Part, type ResultPart, type TextPart, textOf } from '../core/base/message.ts'
import type { Prompt } from '../core/base/ports.ts'
import { type CacheMarks, cached } from './prompt-cache.ts'
import { fileData, fileText } from './provider-file.ts'
import { providerId, providerName } from './provider-id.ts'
import { outputOf, shownFiles } from './provider-result.ts'
import type { Metadata, Target } from './provider-spec.ts'
import { freeformTools } from './provider-tools.ts'

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

const goOn = 'Go on exactly where your last message ends. Do not repeat it, and do not mention this.'

/** Messages in the provider's form. A message's form is made once: messages never change. */
export class PromptForms {
  readonly #target: Target
  readonly #forms = new WeakMap<Message, ProviderMessage>()

  constructor(target: Target) {
    this.#target = target
  }

  /** Contract: every call has its results right behind it, all in one message, and no id occurs twice. */
  prompt({ instructions, messages, tools }: Prompt, marks?: CacheMarks): ProviderMessage[] {
    const system: ProviderMessage = { role: 'system', content: instructions }
    const out: ProviderMessage[] = instructions ? [marks?.instructions ? cached(system, marks) : system] : []
    const ids = new CallIds()
    const freeform = freeformTools(tools)
    let calls: ReadonlyMap<string, Call> = noCalls
    let files: ProviderPart[] = []
    const show = () => {
      if (files.length) out.push({ role: 'user', content: files })
      files = []
    }
    for (const message of messages) {
      if (message.role !== 'tool') show()
      if (message.role === 'assistant') calls = callsIn(message)
      const form = ids.unique(withTexts(this.#form(message, calls, out.at(-1)), freeform))
      if (form.content.length) join(out, marks?.messages.includes(message.id) ? cached(form, marks) : form)
      files.push(...aside(message, this.#target))
    }
    show()
    // A turn that goes on after a stop ends with the assistant's own words. The instruction is in no history.
    if (this.#target.endsWithUser && endsWithWords(out.at(-1)))
      out.push({ role: 'user', content: [{ type: 'text', text: goOn }] })
    return out
  }

  #form(message: Message, calls: ReadonlyMap<string, Call>, before: ProviderMessage | undefined): ProviderMessage {
    if (message.role === 'system' && (!before || before.role === 'system'))
      return { role: 'system', content: textOf(message) }
    const known = this.#forms.get(message)
    if (known) return known
    const form = formOf(message, calls, this.#target)
    this.#forms.set(message, form)
    return form
  }
}

const noCalls: ReadonlyMap<string, Call> = new Map()
const callsIn = ({ content }: Message): ReadonlyMap<string, Call> =>
  new Map(content.flatMap(part => (part.type === 'call' ? [[part.id, part] as const] : [])))

/** A call or result at the end of the assistant's words is work that the provider goes on with by itself. */
function endsWithWords(last: ProviderMessage | undefined): boolean {
  const part = last?.role === 'assistant' ? last.content.at(-1) : undefined
  return typeof part === 'object' && !/^tool-/.test(part.type)
}

/** The calls of freeform tools with their text, as the model has made them. */
function withTexts(form: ProviderMessage, freeform: readonly string[]): ProviderMessage {
  if (!freeform.length || typeof form.content === 'string') return form
  const isFreeform = ({ type, toolName }: ProviderPart): boolean =>
    type === 'tool-call' && freeform.some(name => providerName(name) === toolName)
  const textOf = ({ input }: ProviderPart): unknown => (input as { readonly input?: unknown }).input ?? ''
  return { ...form, content: form.content.map(part => (isFreeform(part) ? { ...part, input: textOf(part) } : part)) }
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

function formOf(message: Message, calls: ReadonlyMap<string, Call>, target: Target): ProviderMessage {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message, target) }
    case 'tool': {
      const results = message.content.filter(part => part.type === 'result')
      return { role: 'tool', content: results.map(part => ourResult(part, calls.get(part.id), target)) }
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
        return [callForm(part, part.byProvider === true || executed.has(part.id))]
      case 'result':
        return [{ ...resultForm(part, part.id, target), ...options(part) }]
      case 'reasoning':
        return part.text || part.meta !== undefined ? [{ type: 'reasoning', text: part.text, ...options(part) }] : []
      case 'custom':
        return target.spec === 'v4' ? [{ type: 'custom', kind: part.kind, ...options(part) }] : []
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
    toolName: providerExecuted ? call.name : providerName(call.name),
    input: typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {},
    ...(providerExecuted ? { providerExecuted } : {}),
    ...options(call),
  }
}

/** Blank text is refused by some. The data with it (a signature, an item's id) is wanted back all the same, by those that give any. */
const isSaid = ({ text, meta }: TextPart, { blankText }: Target): boolean =>
  text.trim() !== '' || (meta !== undefined && blankText)

function spoken(part: Part, target: Target): ProviderPart[] {
  if (part.type === 'text') return isSaid(part, target) ? [{ type: 'text', text: part.text, ...options(part) }] : []
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

/** The result of a call that we ran, with the call's own data; or our answer to a provider that asked whether it may run it. */
function ourResult(part: ResultPart, call: Call | undefined, target: Target): ProviderPart {
  if (call?.approval === undefined) return { ...resultForm(part, providerId(part.id), target), ...options(call ?? {}) }
  const approved = part.status === 'ok'
  const reason = approved ? {} : { reason: String(part.value) }
  return { type: 'tool-approval-response', approvalId: call.approval, approved, ...reason }
}

function resultForm(part: ResultPart, toolCallId: string, target: Target): ProviderPart {
  return { type: 'tool-result', toolCallId, toolName: providerName(part.name), output: outputOf(part, target) }
}

/** The files that tools have shown, for a provider whose results cannot have any: as if the user had sent them. */
function aside(message: Message, target: Target): ProviderPart[] {
  if (message.role !== 'tool' || target.filesInResults) return []
  const files = message.content.flatMap(part => (part.type === 'result' ? shownFiles(part, target) : []))
  return files.flatMap(file => spoken(file, target))
}

/** Sends a part's provider data back with it: signatures of thoughts, ids of its own. */
const options = ({ meta }: { readonly meta?: unknown }): object => (meta === undefined ? {} : { providerOptions: meta })
