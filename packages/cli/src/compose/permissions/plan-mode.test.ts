import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { planMode } from './plan-mode.ts'

const call = (name: string, args: object = {}) => ({ calls: [{ name, args }] })

/** A turn in plan mode; each plan gets the next answer. */
async function plan(steps: readonly { name: string; args?: object }[], answers: readonly object[]) {
  const ran: string[] = []
  const left = [...answers]
  let leave = () => {}
  const agent = createAgent({
    model: scriptedModel([...steps.map(({ name, args }) => call(name, args)), 'Done.']),
    tools: ['read_file', 'write_file'].map(name =>
      tool({ name, readOnly: name === 'read_file', run: () => void ran.push(name) }),
    ),
  })
  leave = agent.use(planMode({ tools: () => agent.tools, accepted: () => leave() }))
  const turn = agent.send('Go.')
  for await (const event of turn)
    if (event.type === 'request.opened') turn.answer(event.requestId, left.shift() ?? { decision: 'deny' })
  const { messages } = await turn
  const results = messages.flatMap(({ content }) =>
    content.flatMap(part => (part.type === 'result' ? [String(part.value)] : [])),
  )
  return { ran, results }
}

test('only reading tools run until a plan is accepted', async () => {
  const steps = [
    { name: 'write_file' },
    { name: 'read_file' },
    { name: 'present_plan', args: { plan: 'x' } },
    { name: 'write_file' },
  ]
  const { ran, results } = await plan(steps, [{ decision: 'allow' }])
  expect(ran).toEqual(['read_file', 'write_file'])
  expect(results[0]).toMatch(/the chat is in plan mode/)
  expect(results[2]).toMatch(/^The plan is accepted/)
})

test('a plan that is refused says why, and nothing is written', async () => {
  const steps = [{ name: 'present_plan', args: { plan: 'x' } }, { name: 'write_file' }]
  const { ran, results } = await plan(steps, [{ decision: 'deny', reason: 'smaller steps' }])
  expect(ran).toEqual([])
  expect(results[0]).toBe('The plan is not accepted: smaller steps Stay in plan mode and change the plan.')
})
