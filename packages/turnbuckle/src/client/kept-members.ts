import type { EventBody, ToolEnded, TurnEnded } from '../core/events/events.ts'

// Tables of the members of events: true for a member that the view keeps as it is. A member that an event gets is a type error
// here until its table has it; one that is kept is a member of the wire type by that, and of what `ConversationView` copies.

/** A turn has these of its first event. */
export const turnStart = { parentId: false, tag: false } as const
/** A turn has these of its terminal event. */
export const turnEnd = {
  outcome: false,
  reason: true,
  by: true,
  text: false,
  finishReason: true,
  usage: true,
  elsewhere: false,
  error: true,
} as const
/** A node has these of `message.added`. */
export const nodeStart = { messageId: false, parentId: false, role: false, message: true } as const
/** A request has these of `request.opened`. */
export const requestStart = {
  requestId: false,
  kind: true,
  payload: true,
  deadline: true,
  schema: true,
  to: true,
  voted: true,
  again: true,
} as const
/** A call has these of `tool.executing`; arguments go on the wire only where they were changed. */
export const callStart = { callId: false, messageId: true, name: true, args: false } as const
/** A call has these of its last event. */
export const callEnd = {
  callId: false,
  messageId: true,
  name: true,
  status: true,
  result: false,
  durationMs: true,
} as const

export type OfTurnStart = Kept<Body<'turn.started'>, typeof turnStart>
export type OfTurnEnd = Kept<TurnEnded, typeof turnEnd>
export type OfNodeStart = Kept<Body<'message.added'>, typeof nodeStart>
export type OfRequestStart = Kept<Body<'request.opened'>, typeof requestStart>
export type OfCallStart = Kept<Body<'tool.executing'>, typeof callStart>
export type OfCallEnd = Kept<ToolEnded, typeof callEnd>

type Body<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>
type Table<Event> = Readonly<Record<Exclude<keyof Event, 'type'>, boolean>>
type Kept<Event, Members extends Table<Event>> = Readonly<Pick<Event, keyof Event & KeptNames<Members>>>
type KeptNames<Members> = { [Name in keyof Members]: Members[Name] extends true ? Name : never }[keyof Members]

/** Copies the members of an event that are kept, but for those that are undefined. */
export function keepMembers<Event extends object, Members extends { readonly [Name in keyof Event]?: boolean }>(
  event: Event,
  members: Members,
): Readonly<Pick<Event, keyof Event & KeptNames<Members>>> {
  const kept: Partial<Event> = {}
  for (const name of Object.keys(members) as (keyof Event & keyof Members)[])
    if (members[name] && event[name] !== undefined) kept[name] = event[name]
  return kept as Pick<Event, keyof Event & KeptNames<Members>>
}
