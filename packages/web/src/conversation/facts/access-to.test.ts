import type { ConversationSummary } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { conversation } from '../../../test/conversation.ts'
import { accessTo } from './access-to.ts'

const listed = (access?: 'read' | 'talk') => [{ id: 'c', ...(access ? { access } : {}) } as ConversationSummary]
const member = { name: 'bob', role: 'member' } as const
const viewer = { name: 'eve', role: 'viewer' } as const
const subAgents = { ...conversation({}), id: 's', owner: 'ada', access: 'read' } as const

test.each([
  { what: 'one’s own', app: { me: member, list: listed() }, id: 'c', is: 'own' },
  { what: 'one that is shared to talk in', app: { me: member, list: listed('talk') }, id: 'c', is: 'talk' },
  { what: 'one that is shared to read', app: { me: member, list: listed('read') }, id: 'c', is: 'read' },
  {
    what: 'a sub-agent’s, which is in no list',
    app: { me: member, list: listed(), open: subAgents },
    id: 's',
    is: 'read',
  },
  { what: 'any, for a viewer', app: { me: viewer, list: listed('talk') }, id: 'c', is: 'read' },
  { what: 'the blank page', app: { me: member, list: [] }, id: undefined, is: 'own' },
  { what: 'the blank page, for a viewer', app: { me: viewer, list: [] }, id: undefined, is: 'read' },
])('$what: $is', ({ app: { me, list, open }, id, is }) => {
  expect(accessTo({ me, list, conversation: open }, id)).toBe(is)
})
