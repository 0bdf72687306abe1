import type { Message, Part, ResultPart } from '../core/base/message.ts'
import { type AttachedPart, attachedPart } from './attached-part.ts'
import { errorText } from './told-calls.ts'
import type { UserPart } from './ui-message-chunk.ts'
import { userParts } from './user-parts.ts'

/** A message as `useChat` keeps it. */
export interface UIMessage {
  /** The id of a person's message; of an answer, the id of its turn. */
  readonly id: string
  /** `system`, `user` or `assistant`: results of tools are parts of the answer. */
  readonly role: 'system' | 'user' | 'assistant'
  /** The parts, in their order. */
  readonly parts: UIMessagePart[]
}

/** A part of a UI message. */
export type UIMessagePart =
  | UserPart
  | { readonly type: 'step-start' }
  | { readonly type: 'reasoning'; readonly text: string }
  | AttachedPart
  | { readonly type: 'steering-message'; readonly id: string; readonly parts: UserPart[] }
  | UIToolPart

/** A call with its result, or with the question whether it may run. */
export interface UIToolPart {
  /** `tool-` and the tool's name. */
  readonly type: `tool-${string}`
  /** The id of the call. */
  readonly toolCallId: string
  /** How far the call is. */
  readonly state: 'input-available' | 'approval-requested' | 'output-available' | 'output-error' | 'output-denied'
  /** The arguments. */
  readonly input: unknown
  /** The value that the tool gave. */
  readonly output?: unknown
  /** Why there is no value. */
  readonly errorText?: string
  /** The question whether it may run; its id is the request's. */
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string }
}

/** All that is read of a conversation: `Conversation` of the library fits, and so does the one of the wire. */
export interface ShownConversation {
  /** The last message of the path that is shown. */
  readonly head: string | null | undefined
  /** The messages of every branch. */
  readonly tree: readonly ShownNode[]
  /** Questions that wait for an answer. */
  readonly requests?: readonly { readonly id: string; readonly kind: string; readonly payload: unknown }[]
}

/** A message in the tree of a conversation. */
export interface ShownNode {
  /** The id of the message. */
  readonly id: string
  /** The message before it. */
  readonly parentId?: string | null | undefined
  /** The turn that it belongs to; none of a given history. */
  readonly turnId?: string | null | undefined
  /** The message. */
  readonly message: Message
}

/**
 * The path to the head as `useChat` takes it: the `messages` of a page that is opened again. A turn is one assistant message under
 * the turn's id, as in the stream.
 */
export function toUIMessages(conversation: ShownConversation): UIMessage[] {
  const path = pathOf(conversation)
  const calls = callFacts(path, conversation.requests ?? [])
  const messages: UIMessage[] = []
  for (const { id, turnId, message } of path) {
    const { role } = message
    const answer = answerOf(turnId, messages.at(-1))
    if (role === 'assistant') {
      const parts = replyParts(message, calls)
      if (answer) answer.parts.push(...parts)
      else messages.push({ id: turnId ?? id, role, parts })
    } else if (role !== 'tool' && !answer) messages.push({ id, role, parts: userParts(message) })
    // A person has said it while the turn ran; a message of a hook is for the model alone.
    else if (role === 'user' && !message.by)
      answer?.parts.push({ type: 'steering-message', id, parts: userParts(message) })
  }
  return messages
}

/** The last message, where it is the answer of this turn. */
const answerOf = (turnId: string | null | undefined, last: UIMessage | undefined): UIMessage | undefined =>
  last?.role === 'assistant' && last.id === turnId ? last : undefined

/** The nodes from the first message to the head. */
function pathOf({ tree, head }: ShownConversation): ShownNode[] {
  const nodes = new Map(tree.map(node => [node.id, node]))
  const path: ShownNode[] = []
  for (let node = nodes.get(head ?? ''); node; node = nodes.get(node.parentId ?? '')) path.push(node)
  return path.reverse()
}

/** The results and the open approvals of calls, by the call's id. */
interface CallFacts {
  readonly results: ReadonlyMap<string, ResultPart>
  readonly asked: ReadonlyMap<string, string>
}

function callFacts(path: readonly ShownNode[], requests: NonNullable<ShownConversation['requests']>): CallFacts {
  const results = new Map<string, ResultPart>()
  for (const { message } of path)
    for (const part of message.content) if (part.type === 'result') results.set(part.id, part)
  const asked = new Map<string, string>()
  for (const { id, kind, payload } of requests)
    if (kind === 'permission') asked.set(String((payload as { id?: unknown } | undefined)?.id), id)
  return { results, asked }
}

function replyParts({ id, content }: Message, { results, asked }: CallFacts): UIMessagePart[] {
  const parts = content.flatMap((part, index): UIMessagePart[] => {
    if (part.type === 'call') return [toolPart(part, results.get(part.id), asked.get(part.id))]
    if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text }]
    const attached = attachedPart(part, id, index)
    return attached ? [attached] : []
  })
  return [{ type: 'step-start' }, ...parts]
}

function toolPart(
  { id, name, args }: Extract<Part, { type: 'call' }>,
  result: ResultPart | undefined,
  requestId: string | undefined,
): UIToolPart {
  const part = { type: `tool-${name}`, toolCallId: id, input: result?.args ?? args ?? {} } as const
  if (!result && requestId) return { ...part, state: 'approval-requested', approval: { id: requestId } }
  if (!result) return { ...part, state: 'input-available' }
  const { status, value } = result
  if (status === 'ok') return { ...part, state: 'output-available', output: value ?? null }
  const reason = errorText(status, value)
  // The history does not keep the id of the request: the call's stands for it.
  if (status === 'denied') return { ...part, state: 'output-denied', approval: { id, approved: false, reason } }
  return { ...part, state: 'output-error', errorText: reason }
}
