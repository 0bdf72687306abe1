import { createAgent, tool } from 'turnbuckle'
import { createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, onTestFinished, test, vi } from 'vitest'

/** A tool that is at work until `finish`; `where` is the conversation of its call. */
function slowTool() {
  let finish = () => {}
  const done = new Promise<void>(resolve => {
    finish = resolve
  })
  let begin = (_id: string) => {}
  const where = new Promise<string>(resolve => {
    begin = resolve
  })
  const work = tool({
    name: 'work',
    run: async (_args, { conversation }) => {
      begin(conversation.id)
      await done
    },
  })
  return { work, where, finish }
}

const working = () => scriptedModel([{ calls: [{ name: 'work' }] }, 'Done.'])
const options = { waitMs: 0 }

test('whoever writes where a sub-agent works is told so, and for which turn', async () => {
  const store = memoryStore(options)
  const { work, where, finish } = slowTool()
  const helper = createAgent({ model: working(), store, tools: [work] })
  const caller = createAgent({
    model: scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Work.' } }] }, 'Done.']),
    store,
    tools: [agentTool(helper, { name: 'helper' })],
  })
  const turn = caller.conversation('above').send('Go.')
  const id = await where
  const { error } = await createAgent({ model: working(), store }).conversation(id).send('And?').settled
  expect(error).toMatchObject({ code: 'conversation.locked' })
  expect(String(error)).toContain(`A sub-agent is working in the conversation "${id}", for the turn "${turn.id}".`)
  finish()
  expect((await turn.settled).status).toBe('completed')
})

test('two agents of one process are not told of another process', async () => {
  const store = memoryStore(options)
  const { work, where, finish } = slowTool()
  const turn = createAgent({ model: working(), store, tools: [work] })
    .conversation('c')
    .send('Go.')
  await where
  const { error } = await createAgent({ model: working(), store }).conversation('c').send('And?').settled
  expect(String(error)).toContain('Another agent of this process is working on the conversation "c".')
  finish()
  expect((await turn.settled).status).toBe('completed')
})

test('whoever waits for another process asks less and less often, and a last time when its patience ends', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { driver } = memoryStore()
  const { work, where, finish } = slowTool()
  const turn = createAgent({ model: working(), store: createStore(driver), tools: [work] })
    .conversation('c')
    .send('Go.')
  await where
  const tries: number[] = []
  const counted: Driver = new Proxy(driver, {
    get(target, name) {
      if (name === 'commit') tries.push(performance.now())
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const chat = await createAgent({ model: working(), store: createStore(counted, { waitMs: 3000 }) }).open('c')
  const waiting = chat.send('And?').settled
  await vi.advanceTimersByTimeAsync(3500)
  expect((await waiting).error).toMatchObject({ code: 'conversation.locked' })
  expect(tries.slice(1).map((at, i) => at - (tries[i] ?? 0))).toEqual([
    25, 50, 100, 200, 400, 400, 400, 400, 400, 400, 225,
  ])
  finish()
  expect((await turn.settled).status).toBe('completed')
})
