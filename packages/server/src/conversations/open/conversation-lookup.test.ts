import { createAgent, type Event, middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { ConversationLookup } from './conversation-lookup.ts'
import type { OpenConversation } from './open-conversation.ts'

const open = (turnIds: readonly string[], ids: readonly string[]) =>
  ({ id: 'c', turnIds, requests: { ids } }) as unknown as OpenConversation
const began = { type: 'turn.started', turnId: 't' } as Event
const asked = { type: 'request.opened', turnId: 't', requestId: 'r' } as Event

test('a turn and a request lead to the conversation whose log told of them, until it is forgotten', () => {
  const lookup = new ConversationLookup(undefined)
  const conversation = open(['t'], ['r'])
  for (const event of [began, asked]) lookup.note(conversation, event)
  expect([lookup.ofTurn('t'), lookup.ofRequest('r')]).toEqual([conversation, conversation])
  lookup.forget(conversation)
  expect([lookup.ofTurn('t'), lookup.ofRequest('r')]).toEqual([undefined, undefined])
})

test('a conversation that was opened again under the same id stays', () => {
  const lookup = new ConversationLookup(undefined)
  const [before, now] = [open(['t'], []), open(['t'], [])]
  lookup.note(before, began)
  lookup.note(now, began)
  lookup.forget(before)
  expect(lookup.ofTurn('t')).toBe(now)
})

test('the store knows turns and requests of conversations that are not open, closed requests too', async () => {
  const store = memoryStore()
  const asks = middleware({
    name: 'asks',
    beforeTurn: async ctx => void (await ctx.ask('clarification', {})),
  })
  const agent = createAgent({ model: scriptedModel(['Hi.']), store, use: [asks] })
  const conversation = await agent.open('c')
  const turn = conversation.send('hi')
  let requestId = ''
  for await (const event of turn) {
    if (event.type !== 'request.opened') continue
    requestId = event.requestId
    expect(await new ConversationLookup(store).storedWithRequests()).toEqual(['c'])
    await conversation.answer(requestId, 'so')
  }
  const lookup = new ConversationLookup(store)
  expect([await lookup.storedOfTurn(turn.id), await lookup.storedOfRequest(requestId)]).toEqual(['c', 'c'])
  expect([await lookup.storedOfTurn('none'), await lookup.storedWithRequests()]).toEqual([undefined, []])
})
