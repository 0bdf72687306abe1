import { expect, test } from 'vitest'
import { conflict, fenced, locked } from './refusals.ts'

test.each([
  { error: locked('c', 'host/1/x'), code: 'conversation.locked', names: ['"c"', 'host/1/x'] },
  { error: fenced('c'), code: 'store.fenced', names: ['"c"'] },
  { error: conflict('c', 3, 5), code: 'store.conflict', names: ['"c"', 'event 3', 'event 5'] },
])('$code is an error of the store that names $names', ({ error, code, names }) => {
  expect(error).toMatchObject({ code, kind: 'store' })
  for (const name of names) expect(error.message).toContain(name)
})
