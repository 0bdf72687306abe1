import type { ConversationSummary } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { groupByDay } from './group-by-day.ts'

const now = new Date(2026, 10, 17, 12).getTime()
const at = (id: string, ...date: [number, number, number, number]) =>
  ({ id, updatedAt: new Date(...date).getTime() }) as ConversationSummary

test('conversations stand under today, yesterday, their weekday, or their month', () => {
  const groups = groupByDay(
    [
      at('a', 2026, 10, 17, 11),
      at('b', 2026, 10, 17, 0),
      at('c', 2026, 10, 16, 23),
      at('d', 2026, 10, 13, 9),
      at('e', 2026, 9, 30, 9),
      at('f', 2026, 9, 2, 9),
    ],
    now,
  )
  const month = new Date(2026, 9, 1).toLocaleDateString(undefined, { month: 'long', year: 'numeric' })
  const friday = new Date(2026, 10, 13).toLocaleDateString(undefined, { weekday: 'long' })
  expect(groups.map(({ label, conversations }) => [label, conversations.map(({ id }) => id).join('')])).toEqual([
    ['Today', 'ab'],
    ['Yesterday', 'c'],
    [friday, 'd'],
    [month, 'ef'],
  ])
})
