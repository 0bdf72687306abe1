import { createAgent, middleware, performancePipeline, stop } from 'turnbuckle'
import { redact } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

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
