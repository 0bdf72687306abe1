import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { AuditList } from './audit-list.ts'

const entry = (what: string) => ({ by: 'ada', act: 'answered', what }) as const

test.each([
  { where: 'in memory', list: () => new AuditList(undefined) },
  { where: 'in a store', list: () => new AuditList(memoryStore()) },
])('entries $where are read newest first, page by page', async ({ list }) => {
  const audit = list()
  for (const what of ['one', 'two', 'three']) await audit.add(entry(what))
  const first = await audit.list({ limit: 2 })
  expect(first.map(({ what }) => what)).toEqual(['three', 'two'])
  const second = await audit.list({ limit: 2, before: first[1]?.id })
  expect(second.map(({ what }) => what)).toEqual(['one'])
})

test('entries of a store outlast the process that made them', async () => {
  const store = memoryStore()
  await new AuditList(store).add(entry('one'))
  expect(await new AuditList(store).list({ limit: 5 })).toMatchObject([{ by: 'ada', what: 'one' }])
})
