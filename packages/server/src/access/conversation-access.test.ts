import { expect, test } from 'vitest'
import { ConversationAccess } from './conversation-access.ts'
import { Shares } from './shares.ts'

const conversation = { id: 'c', owner: 'ada' }

/** Ada’s conversation, which Bob reads, and Cleo and the viewer Vera talk in. */
async function shared(): Promise<ConversationAccess> {
  const shares = new Shares(undefined)
  await shares.set({ conversationId: 'c', person: 'bob', access: 'read' })
  await shares.set({ conversationId: 'c', person: 'cleo', access: 'talk' })
  await shares.set({ conversationId: 'c', person: 'vera', access: 'talk' })
  return new ConversationAccess(person => (person === 'vera' ? 'viewer' : 'member'), shares)
}

test.each([
  { person: 'ada', sees: true, talks: true, sharing: { people: { bob: 'read', cleo: 'talk', vera: 'talk' } } },
  { person: 'bob', sees: true, talks: false, sharing: { owner: 'ada', access: 'read' } },
  { person: 'cleo', sees: true, talks: true, sharing: { owner: 'ada', access: 'talk' } },
  { person: 'dan', sees: false, talks: false, sharing: {} },
])('for $person a shared conversation is there: $sees', async ({ person, sees, talks, sharing }) => {
  const access = await shared()
  expect(access.sees(person, conversation)).toBe(sees)
  expect(access.talks(person, conversation)).toBe(talks)
  expect(access.sharing(person, conversation)).toEqual(sharing)
})

test('a conversation that is shared with nobody says nothing of sharing', () => {
  const access = new ConversationAccess(() => 'member', new Shares(undefined))
  expect(access.sharing('ada', conversation)).toEqual({})
  expect(access.peopleOf(conversation)).toEqual(['ada'])
})

test('too little access, or too little of a role, is an error; no access at all is no conversation', async () => {
  const access = await shared()
  expect(access.mayDo('bob', conversation, 'readConversation')).toBe(true)
  expect(() => access.mayDo('bob', conversation, 'talk')).toThrow('shared with you to read')
  expect(() => access.mayDo('cleo', conversation, 'keepConversation')).toThrow('shared with you to talk in')
  expect(() => access.mayDo('vera', conversation, 'talk')).toThrow('You are a viewer here')
  expect(access.mayDo('dan', conversation, 'talk')).toBe(false)
})
