import { expect, test } from 'vitest'
import { conversation, node, runningTurnOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { SubAgent } from './sub-agent.tsx'

test('a sub-agent of before has its name, and a link where its conversation is kept', () => {
  expect(draw(SubAgent, { agent: { name: 'scout', conversationId: 's' }, work: undefined })).toMatch(
    /<strong>scout<\/strong>.*href="\/c\/s".*Open its conversation/,
  )
  expect(draw(SubAgent, { agent: { name: 'scout' }, work: undefined })).not.toContain('href')
})

test('one at work says so', () => {
  const state = conversation({ turns: [runningTurnOf('t', null)], nodes: [node('a', null)] })
  const work = { agent: 'scout', turnId: 't', callId: 'c', state }
  expect(draw(SubAgent, { agent: undefined, work })).toContain('<strong>scout</strong> works')
})
