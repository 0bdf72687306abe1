import { expectTypeOf, test } from 'vitest'
import type { Call } from '../http/call.ts'
import type { Act, ConversationAct, rights } from './rights.ts'
import type { Role } from './roles.ts'

test('every act has a column for every role, and no other', () => {
  expectTypeOf<keyof (typeof rights)[Act]['may']>().toEqualTypeOf<Role>()
})

test('every call of the contract names its act', () => {
  expectTypeOf<Call['act']>().toEqualTypeOf<Act>()
  // @ts-expect-error a call without an act
  const call: Call = { method: 'get', path: '/', summary: '', status: 200 }
  void call
})

test('acts on a conversation are those that need access to it', () => {
  expectTypeOf<ConversationAct>().toEqualTypeOf<
    'readConversation' | 'talk' | 'keepConversation' | 'switchInConversation'
  >()
})
