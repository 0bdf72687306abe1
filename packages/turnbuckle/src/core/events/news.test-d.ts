import { describe, expectTypeOf, test } from 'vitest'
import type { TurnState } from '../types/turn-state.ts'
import type { CustomEvent, EventBody, EventType } from './events.ts'
import { lazily, type News, ownEvent } from './news.ts'

declare const turn: TurnState
const call = { callId: 'c', messageId: 'm', name: 'add' }

describe('built-in events are closed', () => {
  test('an event without one of its fields is refused', () => {
    turn.tell({ type: 'tool.pending', ...call, args: {} })
    // @ts-expect-error args are missing
    turn.tell({ type: 'tool.pending', ...call })
    // @ts-expect-error the reason is missing
    turn.tell({ type: 'turn.parked' })
    expectTypeOf<{ type: EventType }>().not.toExtend<News>()
  })

  test('a field that the event does not have is refused', () => {
    // @ts-expect-error it is durationMs
    turn.tell({ type: 'tool.completed', ...call, status: 'ok', result: 3, duration: 1 })
    // @ts-expect-error there is no such field
    turn.tell({ type: 'tool.late', callId: 'c', messageId: 'm', late: true })
  })

  test('an event that is made lazily has to be whole as well', () => {
    // @ts-expect-error parentId is missing
    lazily((id: string): EventBody => ({ type: 'head.moved', to: id }), 'm')
    // @ts-expect-error what it tells of has another type
    lazily((id: string): EventBody => ({ type: 'tool.late', callId: id, messageId: 'm' }), 1)
  })
})

describe('own events are open', () => {
  test('they are told as such, with any fields', () => {
    turn.tell(ownEvent({ type: 'search.done', hits: 3 }))
    // @ts-expect-error it is no event of the loop
    turn.tell({ type: 'search.done', hits: 3 })
    expectTypeOf<CustomEvent>().not.toExtend<News>()
  })
})
