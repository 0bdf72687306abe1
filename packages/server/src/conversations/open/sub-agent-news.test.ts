import type { Event } from 'turnbuckle'
import { ConversationView } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import type { SubAgentEvent } from '../../feeds/sub-agent-events.ts'
import type { OpenConversation } from './open-conversation.ts'
import { subAgentNews, tellSubAgent } from './sub-agent-news.ts'

const inside = (event: object, of = 'child'): SubAgentEvent =>
  ({
    type: 'agent.event',
    conversationId: 'caller',
    at: 1,
    turnId: 't',
    callId: 'call',
    agent: 'helper',
    agentConversationId: of,
    event: { conversationId: of, at: 1, turnId: 'u', ...event },
  }) as unknown as SubAgentEvent

function conversation(id: string) {
  const view = ConversationView.ofLog(id)
  const heard: Event[] = []
  const happened: string[] = []
  const feed = { hear: (event: Event) => heard.push(event), subAgentEvents: [] }
  const log = { view, feed, happen: (happening: string) => happened.push(happening) }
  return { open: { id, log } as unknown as OpenConversation, view, heard, happened }
}

test('followers of a sub-agent hear what its caller hears; what its log has, its handle has not read', () => {
  const child = conversation('child')
  const open = new Map([['child', child.open]])
  tellSubAgent(open, inside({ type: 'message.delta', messageId: 'm', offset: 0, text: 'so' }))
  expect(child.happened).toEqual([])
  tellSubAgent(open, inside({ type: 'turn.started', seq: 1 }))
  expect(child.heard.map(({ type }) => type)).toEqual(['message.delta', 'turn.started'])
  expect(child.happened).toEqual(['fellBehind'])
})

test('who opens a sub-agent’s conversation late hears the text that grows there', () => {
  const [caller, child] = [conversation('caller'), conversation('child')]
  const open = new Map([caller.open, child.open].map(one => [one.id, one]))
  caller.view.apply({ type: 'turn.started', conversationId: 'caller', at: 1, turnId: 't', seq: 1 } as Event)
  caller.view.applyUnlogged(inside({ type: 'turn.started', seq: 1 }))
  caller.view.applyUnlogged(inside({ type: 'message.started', seq: 2, messageId: 'm', role: 'assistant' }))
  caller.view.applyUnlogged(inside({ type: 'message.delta', messageId: 'm', offset: 0, text: 'so' }))
  expect(subAgentNews(open, 'child')).toMatchObject([{ messageId: 'm', text: 'so' }])
  expect(subAgentNews(open, 'caller')).toEqual([])
})
