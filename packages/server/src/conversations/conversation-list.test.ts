import { middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { makeConversations } from '../../test/make-conversations.ts'
import { gate } from '../../test/serve.ts'
import type { ListChange } from '../feeds/list-watchers.ts'
import type { ConversationService } from './conversation-service.ts'

/** Says something, and waits for the end of the turn. */
async function say(conversations: ConversationService, person: string, id: string, text: string): Promise<void> {
  const { turnId } = await conversations.start(person, id, { text }, undefined)
  await (await conversations.ofTurn(person, turnId, 'talk')).turn(turnId)
}
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

describe.each([
  { kind: 'with a store', stored: true },
  { kind: 'in memory', stored: false },
])('the list, $kind,', ({ stored }) => {
  const make = (...replies: string[]) =>
    makeConversations({
      ...(replies.length ? { model: scriptedModel(replies) } : {}),
      ...(stored ? { store: memoryStore() } : {}),
    }).conversations

  test('has pages that follow each other by the last id', async () => {
    const conversations = make()
    for (let i = 0; i < 5; i++) await conversations.create('ada', { title: `c${i}` })
    const all = await conversations.list.page('ada', Infinity)
    const first = await conversations.list.page('ada', 3)
    const rest = await conversations.list.page('ada', 3, first.at(-1)?.id)
    expect(idsOf([...first, ...rest])).toEqual(idsOf(all))
    expect(rest).toHaveLength(2)
    await expect(conversations.list.page('ada', 3, 'nobody')).rejects.toThrow('nobody')
  })

  test('is each person’s own, with what is shared with them', async () => {
    const conversations = make()
    const { id } = await conversations.create('ada', { title: 'Hers' })
    expect(await conversations.list.page('bob', 10)).toEqual([])
    await expect(conversations.list.page('bob', 10, id)).rejects.toThrow(id)
    await conversations.share('ada', id, 'bob', 'read')
    expect(await conversations.list.page('bob', 10)).toMatchObject([{ id, owner: 'ada', access: 'read' }])
    expect(await conversations.list.page('ada', 10)).toMatchObject([{ id, people: { bob: 'read' } }])
  })

  test('is searched for what its person sees', async () => {
    const conversations = make('A needle.', 'Hay.')
    const { id } = await conversations.create('ada', {})
    const { id: other } = await conversations.create('ada', {})
    await say(conversations, 'ada', id, 'go')
    await say(conversations, 'ada', other, 'go')
    expect(await conversations.list.search('ada', 'needle')).toMatchObject([{ conversationId: id }])
    expect(await conversations.list.search('bob', 'needle')).toEqual([])
  })

  test('tells the first message as the title while the reply is still awaited', async () => {
    const [checked, answered] = [gate(), gate()]
    const slow = middleware({ name: 'slow', beforeTurn: () => checked.opened })
    const model = scriptedModel([() => answered.opened.then(() => 'Hi.')])
    const store = stored ? { store: memoryStore() } : {}
    const { conversations } = makeConversations({ model, use: [slow], ...store })
    const { id } = await conversations.create('ada', {})
    const titles: string[] = []
    conversations.list.watch('ada', change => {
      if (change.type === 'conversation.changed') titles.push(change.conversation.title)
    })
    const { turnId } = await conversations.start('ada', id, { text: 'Tides' }, undefined)
    await vi.waitFor(() => expect(titles).toEqual(['']))
    checked.open()
    await vi.waitFor(() => expect(titles.at(-1)).toBe('Tides'))
    answered.open()
    await (await conversations.ofTurn('ada', turnId, 'talk')).turn(turnId)
  })

  test('tells those who watch it, and nobody else, until they stop', async () => {
    const conversations = make()
    const told: Record<string, ListChange[]> = { ada: [], bob: [] }
    const stop = conversations.list.watch('ada', change => told['ada']?.push(change))
    conversations.list.watch('bob', change => told['bob']?.push(change))
    const { id } = await conversations.create('ada', { title: 'Hers' })
    await conversations.share('ada', id, 'bob', 'read')
    await conversations.unshare('ada', id, 'bob')
    expect(told['bob']).toMatchObject([
      { type: 'conversation.changed', conversation: { id, owner: 'ada' } },
      { type: 'conversation.deleted', conversationId: id },
    ])
    expect(told['ada']?.every(({ type }) => type === 'conversation.changed')).toBe(true)
    stop()
    const heard = told['ada']?.length
    await conversations.delete('ada', id)
    expect(told['ada']).toHaveLength(heard ?? -1)
  })
})

test('a switch is told to one person, or to all', () => {
  const { conversations } = makeConversations()
  const told: string[] = []
  for (const person of ['ada', 'bob'])
    conversations.list.watch(person, ({ type }) => void told.push(`${person} ${type}`))
  conversations.list.announceSwitch('bob')
  conversations.list.announceSwitch(undefined)
  expect(told).toEqual(['bob switches.changed', 'ada switches.changed', 'bob switches.changed'])
})
