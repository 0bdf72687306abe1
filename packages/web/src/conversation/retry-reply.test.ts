import type { NewTurn } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { conversation, givePage, node, reply } from '../../test/conversation.ts'
import { retryReply } from './retry-reply.ts'

test('the user message of the same turn is sent once more, beside the first', async () => {
  const sent: NewTurn[] = []
  const asked = node('b', 'a', { turnId: 't2', text: 'why?' })
  const answered = { ...reply('c', 'b'), turnId: 't2' }
  const nodes = [node('a', null, { turnId: 't1', text: 'hello' }), asked, answered]
  givePage(
    { openId: 'c', conversation: conversation({ nodes, head: 'c' }) },
    {
      async send(_, turn) {
        sent.push(turn)
        return { turnId: 't3', seq: 1 }
      },
    },
  )
  retryReply(answered)
  expect(sent).toEqual([{ text: 'why?', parentId: 'a' }])
})
