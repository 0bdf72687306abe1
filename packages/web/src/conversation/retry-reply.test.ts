import { expect, test } from 'vitest'
import { conversation, givePage, node, reply, runningTurnOf } from '../../test/conversation.ts'
import { continueReply, retryReply, retryTurn } from './retry-reply.ts'

test('a continue away from the head moves the head there first', async () => {
  const made: unknown[] = []
  givePage(
    {
      openId: 'c',
      status: 'offline',
      conversation: conversation({ nodes: [node('u', null)], head: 'u' }),
      serverHead: { id: 'x', turnId: undefined },
    },
    {
      send: async (_, turn) => made.push(turn) as never,
      changeConversation: async (_, change) => made.push(change) as never,
    },
  )
  continueReply()
  await new Promise(resolve => setImmediate(resolve))
  expect(made).toEqual([{ head: 'u' }, { continue: true }])
})

test('a retry asks for another answer, also of a turn that has none; a continue for more', async () => {
  const made: unknown[] = []
  const send = async (_: string, turn: object) => {
    made.push(turn)
    return { turnId: 't2', seq: 1 }
  }
  const nodes = [node('u', null), { ...reply('a', 'u'), turnId: 't2' }]
  const turns = [runningTurnOf('t2', 'u'), runningTurnOf('t3', 'u')]
  givePage({ openId: 'c', conversation: conversation({ nodes, turns }) }, { send })
  for (const act of [() => retryReply('a'), () => retryTurn('t2'), () => retryTurn('t3'), continueReply]) {
    act()
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(made).toEqual([{ regenerate: 'a' }, { regenerate: 'a' }, { regenerate: 'u' }, { continue: true }])
})
