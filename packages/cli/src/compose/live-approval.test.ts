import { createAgent, tool } from 'turnbuckle'
import type { PermissionRules } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { liveApproval } from './live-approval.ts'

/** Each turn calls the tool once; tells what became of the calls. */
async function outcomes(rules: readonly PermissionRules[], off = false): Promise<unknown[]> {
  let inForce: PermissionRules = {}
  const add = tool({ name: 'add', description: 'Adds', schema: { type: 'object' }, run: () => 3 })
  const replies = rules.flatMap(() => [{ calls: [{ name: 'add', args: {} }] }, 'Done.'])
  const agent = createAgent({
    model: scriptedModel(replies),
    tools: [add],
    use: [liveApproval(() => inForce, { answers: () => ({ decision: 'deny', reason: 'asked' }) })],
  })
  if (off) agent.disable('approval')
  const seen: unknown[] = []
  for (const next of rules) {
    inForce = next
    const { messages } = await agent.send('add')
    seen.push(messages.flatMap(({ content }) => content).find(part => part.type === 'result')?.status)
  }
  return seen
}

test('each call is decided by the rules of its moment', async () => {
  expect(await outcomes([{ allow: ['add'] }, { deny: ['add'] }, {}, { allow: ['*'] }])).toEqual([
    'ok',
    'blocked',
    'denied',
    'ok',
  ])
})

test('rules that deny hold while it is switched off, also those of later', async () => {
  expect(await outcomes([{}, { deny: ['add'] }], true)).toEqual(['ok', 'blocked'])
})
