import { agentTool, block, createAgent, type Middleware, middleware, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const guard = middleware({
  name: 'guard',
  guard: true,
  beforeTool: ({ call }) => (call.name === 'remove' ? block() : undefined),
})

/** An agent that would remove something, and one that leaves that to it. The first process does not get that far. */
function processes() {
  const store = memoryStore()
  const removed: string[] = []
  const remove = tool({ name: 'remove', run: () => void removed.push('all') })
  const process = (first: ScriptedStep, use: readonly Middleware[]) => {
    const worker = createAgent({ model: scriptedModel([first, 'Done.']), tools: [remove], use, store })
    const delegates = agentTool(worker, { name: 'delegate' })
    const calls = scriptedModel([{ calls: [{ name: 'delegate', args: { task: 'x' } }] }, 'Done.'])
    return {
      worker,
      above: (more: readonly Middleware[]) => createAgent({ model: calls, tools: [delegates], use: more, store }),
    }
  }
  let reached = () => {}
  const there = new Promise<void>(resolve => {
    reached = resolve
  })
  const hangs = () => {
    reached()
    return new Promise<never>(() => {})
  }
  const second = { calls: [{ name: 'remove' }] }
  return {
    first: (use: readonly Middleware[] = []) => process(hangs, use),
    second: process(second, []),
    there,
    removed,
  }
}

test.each(['the agent', 'its turn alone'])(
  'a turn is not gone on with when a guard of %s is not there any more',
  async of => {
    const { first, second, there, removed } = processes()
    const { worker } = first(of === 'the agent' ? [guard] : [])
    worker.conversation('c').send('Go.', of === 'the agent' ? {} : { use: [guard] })
    await there
    await worker.close()
    const missing = { status: 'failed', error: { code: 'guard.missing', message: expect.stringContaining('guard') } }
    expect(await second.worker.resume('c')?.settled).toMatchObject(missing)
    expect(removed).toEqual([])
  },
)

test("a sub-agent's turn is gone on with by its caller, whose guards protect it, and not without", async () => {
  const { first, second, there, removed } = processes()
  const caller = first()
  const above = caller.above([guard])
  const turn = above.conversation('c').send('Go.')
  await there
  await Promise.all([above.close(), caller.worker.close()])
  const id = `${turn.id}.call_1_1`
  expect(await second.worker.resume(id)?.settled).toMatchObject({ status: 'failed', error: { code: 'guard.missing' } })
  expect(removed).toEqual([])
  const resumed = await second.above([guard]).resume('c')?.settled
  expect(resumed?.status).toBe('completed')
  expect(removed).toEqual([])
})
