import type { Event } from 'turnbuckle'
import { ConversationView } from 'turnbuckle/client'
import type { LiveNews } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { LiveElsewhere } from './live-elsewhere.ts'

const common = { conversationId: 'c', at: 1, turnId: 't' }
const log = [
  { ...common, type: 'turn.started', seq: 1, parentId: undefined },
  { ...common, type: 'message.started', seq: 2, messageId: 'm', parentId: undefined, role: 'assistant' },
] as Event[]
const delta = (offset: number, text: string, messageId = 'm'): Event => ({
  ...common,
  type: 'message.delta',
  messageId,
  offset,
  text,
})

/** A conversation whose turn runs elsewhere; the log is read when news asks for it. */
function follow() {
  const view = ConversationView.ofLog('c')
  let seq = 0
  let [wanted, again, following] = [true, 0, 0]
  let tell: (news: LiveNews) => void = () => {}
  const heard: string[] = []
  const live = new LiveElsewhere({
    id: 'c',
    shared: {
      carry() {},
      follow(_, hear) {
        following++
        tell = hear
        return () => {
          following--
        }
      },
      again: () => again++,
      ask: async () => undefined,
      close() {},
    },
    view,
    isWanted: () => wanted,
    async readTo(to) {
      for (; seq < to; seq++) {
        const event = log[seq]
        if (event) view.apply(event)
        heard.push(`event ${seq + 1}`)
      }
    },
    hear(event) {
      view.applyUnlogged(event)
      heard.push('text' in event ? `${event.type} ${event.text}` : event.type)
    },
  })
  return {
    heard,
    adjust(now: boolean) {
      wanted = now
      live.adjust()
    },
    async tell(...events: Event[]) {
      tell({ after: 2, events })
      await new Promise(resolve => setImmediate(resolve))
    },
    facts: () => ({ again, following }),
    view,
  }
}

test('text comes behind the event that it belongs to, in order and once', async () => {
  const { heard, adjust, tell } = follow()
  adjust(true)
  adjust(true)
  await tell(delta(0, 'One '), delta(4, 'two '))
  await tell(delta(0, 'One two '), delta(4, 'two three'))
  expect(heard).toEqual(['event 1', 'event 2', 'message.delta One ', 'message.delta two ', 'message.delta three'])
})

test('where a piece is missing all is asked for again', async () => {
  const { heard, adjust, tell, facts } = follow()
  adjust(true)
  await tell(delta(0, 'One '), delta(8, 'three'))
  expect(facts().again).toBe(1)
  const whole: Event = { ...common, type: 'message.text', messageId: 'm', offset: 0, text: 'One two three' }
  await tell(whole)
  await tell(whole, delta(13, '.'))
  expect(heard.slice(2)).toEqual(['message.delta One ', 'message.text One two three', 'message.delta .'])
})

test('text of a message that is not being written is dropped; arguments of calls grow as text does', async () => {
  const { heard, adjust, tell } = follow()
  adjust(true)
  const call = { ...common, type: 'tool.delta' as const, messageId: 'm', callId: 'k', name: 'add' }
  await tell(delta(0, 'late', 'gone'), { ...call, offset: 0, text: '{"a"' }, { ...call, offset: 4, text: ':1}' })
  expect(heard.slice(2)).toEqual(['tool.delta {"a"', 'tool.delta :1}'])
})

test('events of sub-agents are heard once, while their turn runs', async () => {
  const { heard, adjust, tell, view } = follow()
  adjust(true)
  const inside = (seq: number): Event => ({
    ...common,
    type: 'agent.event',
    callId: 'k',
    agent: 'scout',
    agentConversationId: 's',
    event: { type: 'search.done', conversationId: 's', at: 1, seq } as Event,
  })
  await tell(inside(1), inside(2))
  await tell(inside(1), inside(2), inside(3))
  expect(heard.slice(2)).toEqual(['agent.event', 'agent.event', 'agent.event'])
  const end = { ...common, type: 'turn.stopped', seq: 3, outcome: 'stopped', reason: '', by: '', text: '', usage: {} }
  view.apply(end as unknown as Event)
  await tell(inside(4))
  expect(heard).toHaveLength(5)
})

test('nobody is followed for whom nobody asks', async () => {
  const { heard, adjust, tell, facts } = follow()
  adjust(false)
  expect(facts().following).toBe(0)
  adjust(true)
  adjust(false)
  expect(facts().following).toBe(0)
  await tell(delta(0, 'late'))
  expect(heard).toEqual(['event 1', 'event 2'])
})
