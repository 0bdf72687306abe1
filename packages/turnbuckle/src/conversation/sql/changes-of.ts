import { type Message, textOf } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import { usageFields } from '../../core/base/usage-sums.ts'
import type { Event, TurnEnded } from '../../core/events/events.ts'
import type { StateRecord } from '../../core/types/unfinished-turn.ts'

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

type Turn = string | undefined
type OfEvent<Type> = (event: Extract<Event, { readonly type: Type }>, turn: Turn) => Change[]

const ended = ({ outcome, at, usage }: Omit<TurnEnded, 'type'> & { readonly at: number }, turn: Turn): Change[] =>
  turn ? [{ change: 'turn', id: turn, status: outcome, at, ...unpriced(usage) }] : []
const settled = ({ callId }: { readonly callId: string }, turn: Turn): Change[] => [{ change: 'settled', callId, turn }]
const answered = ({ requestId: id }: { readonly requestId: string }): Change[] => [{ change: 'answered', id }]

const ofEvents: { readonly [Type in Event['type']]?: OfEvent<Type> } = {
  'message.added': ({ message, parentId: parent, at }, turn) => [
    { change: 'node', message, parent, turn, at, text: searched(message) },
  ],
  'history.edited': ({ messages, parentId, at }, turn) =>
    messages.map((message, i) => {
      const parent = i ? messages[i - 1]?.id : parentId
      return { change: 'node', message, parent, turn, at, text: searched(message) }
    }),
  usage: event => [{ change: 'usage', node: event.messageId, usage: usageFields(event) }],
  'turn.started': ({ at }, turn) => (turn ? [{ change: 'turn', id: turn, status: 'open', at }] : []),
  'turn.completed': ended,
  'turn.stopped': ended,
  'turn.failed': ended,
  'turn.interrupted': ended,
  'tool.completed': settled,
  'tool.failed': settled,
  'request.opened': ({ requestId: id, kind, payload, deadline, at }, turn) => [
    { change: 'request', id, kind, payload, at, deadline, turn },
  ],
  'request.answered': answered,
  'request.expired': answered,
  'title.changed': ({ to }) => [{ change: 'title', title: plain(to) }],
}

/** Records that no reader of events is told. */
const ofPrivateRecords = {
  'message.hidden': ({ messageId }: { readonly messageId: string }): Change[] => [
    { change: 'hidden', node: messageId },
  ],
  'note.besides': ({ usage }: { readonly usage: Usage }): Change[] => [{ change: 'usage', node: undefined, usage }],
  'note.state': ({ scope, name, value, node }: StateRecord & { readonly node?: string }): Change[] => {
    if (scope === 'conversation') return [{ change: 'state', name, value }]
    return scope === 'branch' && node ? [{ change: 'branch', node, name, value }] : []
  },
}

type Body = Readonly<Record<string, unknown>>
const byType = new Map(
  Object.entries({ ...ofEvents, ...ofPrivateRecords }) as unknown as [string, (body: Body, turn: Turn) => Change[]][],
)

/** False for records that change no table, by their type: nobody needs their body. */
export const mayChangeTables = (type: string): boolean => byType.has(type)

/** The changes that a record makes to the tables. A store of your own applies them in the commit of that record. */
export function changesOf(type: string, body: Readonly<Record<string, unknown>>, turn: string | undefined): Change[] {
  return byType.get(type)?.(body, turn) ?? []
}

/** Without the zero character: a database may refuse it in a text column, or end the text there. JSON escapes it. */
export const plain = (text: string): string => text.replaceAll('\0', ' ')

export const searched = (message: Message): string => plain(textOf(message).toLowerCase())

const unpriced = (usage: Usage | undefined): { unpriced?: true } =>
  usage && usage.cost === undefined ? { unpriced: true } : {}
