import { expect, test } from 'vitest'
import type { Handlers } from './contract.ts'
import { withRights } from './with-rights.ts'

test('a role that may not make a call is refused before its handler runs', () => {
  const made: unknown[] = []
  const handlers = { createConversation: (input: unknown) => made.push(input) } as unknown as Handlers
  const { createConversation } = withRights(handlers, person => (person === 'vera' ? 'viewer' : 'member'))
  const call = createConversation as unknown as (input: { person: string }) => unknown
  expect(() => call({ person: 'vera' })).toThrow('You are a viewer here')
  call({ person: 'ada' })
  expect(made).toEqual([{ person: 'ada' }])
})
