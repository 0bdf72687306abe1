import { type Message, textOf } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import { usageFields } from '../../core/base/usage-sums.ts'
import type { Event } from '../../core/events/events.ts'

/** A change that one record of the log makes to the tables: the log has what happened, tables have the present state. */
export type Change =
  | {
      readonly change: 'node'
      readonly message: Message
      readonly parent: string | undefined
      readonly turn: string | undefined
      readonly at: number
      /** The message's text for search, in lower case. */
      readonly text: string
    }
  /** Adds to the conversation's usage. `node`: the message that used it; undefined for usage that is no message's. */
  | { readonly change: 'usage'; readonly node: string | undefined; readonly usage: Usage }
  | { readonly change: 'hidden'; readonly node: string }
  | {
      readonly change: 'turn'
      readonly id: string
      readonly status: string
      readonly at: number
      /** The turn has ended without a known cost, so the conversation's cost is unknown from here on. */
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

/** Types of the records that only serve to resume a turn: they are deleted when it ends. */
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
  'calling',
].map(note => `note.${note}`)

/** True for records that only serve to resume a turn: a store deletes them when that turn ends. */
export const isCheckpoint = (type: string): boolean => checkpoints.includes(type)

/** False for records that change no table, by their type: nobody needs their body. */
export const mayChangeTables = (type: string): boolean =>
  !type.startsWith('note.') || type === 'note.state' || type === 'note.besides'

/** The changes that a record makes to the tables. A store of your own applies them in the commit of that record. */
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
    case 'usage':
      return [{ change: 'usage', node: event.messageId, usage: usageFields(event) }]
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

/** Without the zero character: a database may refuse it in a text column, or end the text there. JSON escapes it. */
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
