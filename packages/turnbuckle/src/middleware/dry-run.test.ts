import { createAgent, type Event, middleware, type ResultPart, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { approval } from './approval/approval.ts'
import { type DryRunOptions, dryRun, type PlannedCall } from './dry-run.ts'

async function plan(options: DryRunOptions, use: readonly Parameters<ReturnType<typeof createAgent>['use']>[0][] = []) {
  const ran: string[] = []
  const tools = ['read_file', 'write_file'].map(name => tool({ name, run: () => ran.push(name) && 'ran' }))
  const calls = [
    { name: 'read_file', args: { path: 'a' } },
    { name: 'write_file', args: { path: 'b' } },
  ]
  const plans: (readonly PlannedCall[])[] = []
  const guard = dryRun({ ...options, onPlan: given => plans.push(given) })
  const turn = createAgent({ model: scriptedModel([{ calls }, 'done']), tools, use: [...use, guard] }).send('?')
  const { messages } = await turn
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  const statuses = messages.slice(2, 4).map(({ content }) => (content[0] as ResultPart).status)
  return {
    ran,
    plans,
    statuses,
    events: events.map(({ type }) => type as string).filter(type => type.startsWith('plan.')),
  }
}

const write = { callId: 'call_1_2', step: 0, name: 'write_file', args: { path: 'b' } }
const read = { callId: 'call_1_1', step: 0, name: 'read_file', args: { path: 'a' } }

test.each<{ safe?: DryRunOptions['safe']; ran: string[]; planned: PlannedCall[] }>([
  { ran: [], planned: [read, write] },
  { safe: ['read_file'], ran: ['read_file'], planned: [write] },
  { safe: [/^read_/g], ran: ['read_file'], planned: [write] },
])('only what is safe runs, and the rest is the plan: $safe', async ({ safe, ran, planned }) => {
  const found = await plan(safe ? { safe } : {})
  expect(found.ran).toEqual(ran)
  expect(found.plans).toEqual([planned])
  expect(found.events).toEqual([...planned.map(() => 'plan.step'), 'plan.ready'])
  expect(found.statuses.filter(status => status === 'blocked')).toHaveLength(planned.length)
})

test('nobody is asked about what does not run', async () => {
  const asked: string[] = []
  const guard = approval({ answers: ({ name }) => (asked.push(name) ? 'allow' : undefined) })
  await plan({ safe: ['read_file'] }, [guard])
  expect(asked).toEqual(['read_file'])
})

test('a wrap that calls another tool does not get past it', async () => {
  const swap = middleware({ name: 'swap', wrapTool: (ctx, next) => next({ ...ctx.call, name: 'write_file' }) })
  expect((await plan({ safe: ['read_file'] }, [swap])).ran).toEqual([])
})
