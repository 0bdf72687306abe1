import { createAgent, middleware, performancePipeline, stop, tool } from 'turnbuckle'
import { redact } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'

const employee = redact(/EMP-\d{6}/, '[X]')

test("a sub-agent's decisions are redacted in the caller's explain() and events", async () => {
  const stops = middleware({ name: 'stops', afterModel: () => stop('because of EMP-123456') })
  const child = createAgent({ model: scriptedModel(['x']), use: [stops] })
  const model = scriptedModel([{ calls: [{ name: 'kid', args: { task: 'x' } }] }, 'End.'])
  const turn = createAgent({ model, tools: [agentTool(child, { name: 'kid' })], use: [employee] }).send('Go')
  const events: unknown[] = []
  for await (const event of turn) events.push(event)
  expect(JSON.stringify(turn.explain())).not.toContain('EMP-123456')
  expect(JSON.stringify(events)).not.toContain('EMP-123456')
})

test('the reasons of guards are redacted in a pipeline without hooks', async () => {
  const guard = middleware({ name: 'guard', guard: true, beforeModel: () => stop('because of EMP-123456') })
  const agent = createAgent({ model: scriptedModel(['x']), pipeline: performancePipeline(), use: [employee, guard] })
  expect((await agent.send('Go')).reason).toBe('because of [X]')
})

test('a call that carried a find does not run, however often the provider has used its id', async () => {
  const ran: unknown[] = []
  const send = tool({ name: 'send', input: z.object({ text: z.string() }), run: args => ran.push(args) })
  const asks = (text: string) => [{ calls: [{ id: 'c', name: 'send', args: { text } }] }, 'Done.']
  const model = scriptedModel(['one', 'two', 'three', 'of EMP-123456', 'five'].flatMap(asks))
  const conversation = createAgent({ model, tools: [send], use: [employee] }).conversation()
  for (let i = 0; i < 5; i++) await conversation.send('Go')
  expect(ran).toEqual([{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'five' }])
})

test('a call whose id is that of one with a find in the same turn runs', async () => {
  const ran: unknown[] = []
  const send = tool({ name: 'send', input: z.object({ text: z.string() }), run: args => ran.push(args) })
  const asks = (text: string) => ({ calls: [{ id: 'c', name: 'send', args: { text } }] })
  const model = scriptedModel([asks('of EMP-123456'), asks('harmless'), 'Done.'])
  await createAgent({ model, tools: [send], use: [employee] }).send('Go')
  expect(ran).toEqual([{ text: 'harmless' }])
})
