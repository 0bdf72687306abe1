import { expect, test } from 'vitest'
import { type ListChange, ListWatchers } from './list-watchers.ts'

test('each watcher hears of its person’s conversations, until it stops', () => {
  const watchers = new ListWatchers()
  const heard: Record<string, ListChange[]> = { alice: [], bob: [] }
  const stop = watchers.add('alice', change => heard['alice']?.push(change))
  watchers.add('bob', change => heard['bob']?.push(change))
  const change = { type: 'conversation.deleted', conversationId: 'c' } as const
  watchers.tell('alice', change)
  stop()
  watchers.tell('alice', change)
  expect(heard).toEqual({ alice: [change], bob: [] })
  expect(watchers.isEmpty).toBe(false)
})
