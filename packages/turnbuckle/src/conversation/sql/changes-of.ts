import { type Message, textOf } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import type { Event } from '../../core/events/events.ts'

/** What one record changes in the tables that are read from. A log says what happened, these say how things stand. */
export type Change =
  | {
      readonly change: 'node'
      readonly message: Message
      readonly parent: string | undefined
      readonly turn: string | undefined
      readonly at: number
      /** What is searched, in lower case. */
      readonly text: string
    }
  /** Adds to the conversation's sum. `node`: the message that used it, where it is one. */
  | { readonly change: 'usage'; readonly node: string | undefined; readonly usage: Usage }
  | { readonly change: 'hidden'; readonly node: string }
  | {
      readonly change: 'turn'
      readonly id: string
      readonly status: string
      readonly at: number
      /** It has ended, and nobody knows what it cost: nor what the conversation did. */
      readonly unpriced?: true
    }
  | {
      readonly change: 'request'
      readonly id: string
      readonly kind: string
      readonly payload: unknown
      readonly at: number
      readonly deadline: number | undefined
      readonly turn: string | undefined
    }
  | { readonly change: 'settled'; readonly callId: string; readonly turn: string | undefined }
  | { readonly change: 'answered'; readonly id: string }
  | { readonly change: 'title'; readonly title: string }
  | { readonly change: 'state'; readonly name: string; readonly value: unknown }
  | { readonly change: 'branch'; readonly node: string; readonly name: string; readonly value: unknown }

/** What a turn that has ended needs no more. */
export const checkpoints: readonly string[] = [
  'turn',
  'entered',
  'left',
  'attempt',
  'reply',
  'intent',
  'raw',
  'state',
  'sketch',
  'spent',
  'said',
  'edited',
  'lost',
].map(note => `note.${note}`)

/** Whether records of this type go when their turn ends. */
export const isCheckpoint = (type: string): boolean => checkpoints.includes(type)

/** What a record changes in what is read: a store of your own applies it in the commit of that record. */
export function changesOf(type: string, body: Readonly<Record<string, unknown>>, turn: string | undefined): Change[] {
  const event = { ...body, type } as unknown as Event & { messageId: string }
  switch (event.type) {
    case 'message.added': {
      const { message, parentId } = event
      return [{ change: 'node', message, parent: parentId, turn, at: event.at, text: searched(message) }]
    }
    case 'history.edited': {
      const { messages, parentId, at } = event
      return messages.map((message, i) => {
        const parent = i ? messages[i - 1]?.id : parentId
        return { change: 'node', message, parent, turn, at, text: searched(message) }
      })
    }
    case 'usage': {
      const { inputTokens, outputTokens, cost } = event
      const usage = { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) }
      return [{ change: 'usage', node: event.messageId, usage }]
    }
    case 'turn.started':
      return turn ? [{ change: 'turn', id: turn, status: 'open', at: event.at }] : []
    case 'turn.completed':
    case 'turn.stopped':
    case 'turn.failed':
    case 'turn.interrupted':
      return turn ? [{ change: 'turn', id: turn, status: event.outcome, at: event.at, ...unpriced(event.usage) }] : []
    case 'tool.completed':
    case 'tool.failed':
      return [{ change: 'settled', callId: event.callId, turn }]
    case 'request.opened': {
      const { requestId: id, kind, payload, deadline, at } = event
      return [{ change: 'request', id, kind, payload, at, deadline, turn }]
    }
    case 'request.answered':
    case 'request.expired':
      return [{ change: 'answered', id: event.requestId }]
    case 'title.changed':
      return [{ change: 'title', title: plain(event.to) }]
    default:
      return privateChanges(type, body)
  }
}

/** As text of its own a database may refuse this character, or end there; in JSON it is written otherwise. */
export const plain = (text: string): string => text.replaceAll('\0', ' ')

export const searched = (message: Message): string => plain(textOf(message).toLowerCase())

const unpriced = (usage: Usage | undefined): { unpriced?: true } =>
  usage && usage.cost === undefined ? { unpriced: true } : {}

function privateChanges(type: string, body: Readonly<Record<string, unknown>>): Change[] {
  if (type === 'message.hidden') return [{ change: 'hidden', node: String(body['messageId']) }]
  if (type === 'note.besides') return [{ change: 'usage', node: undefined, usage: body['usage'] as Usage }]
  if (type !== 'note.state') return []
  const { scope, name, value, node } = body as { scope: string; name: string; value: unknown; node?: string }
  if (scope === 'conversation') return [{ change: 'state', name, value }]
  return scope === 'branch' && node ? [{ change: 'branch', node, name, value }] : []
}
