import { createAgent, type Event, middleware, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const calls = [{ name: 'wait', id: 'c1' }]

/** A turn whose agent is closed while its tool runs. */
async function parked() {
  const store = memoryStore()
  const aborted: unknown[] = []
  const hooks: string[] = []
  const told: Event[] = []
  const watch = middleware({
    name: 'watch',
    afterTool: () => void hooks.push('tool'),
    afterTurn: () => void hooks.push('turn'),
  })
  let close = () => {}
  const stuck = tool({
    name: 'wait',
    idempotent: true,
    run: (_args, { signal }) => {
      signal.addEventListener('abort', () => void aborted.push(signal.reason), { once: true })
      close()
      return new Promise(() => {})
    },
  })
  const agent = createAgent({ model: scriptedModel([{ calls }]), tools: [stuck], store, use: [watch] })
  const closed = new Promise<void>(resolve => {
    close = () => resolve(agent.close())
  })
  const turn = agent.conversation('c').send('Go')
  for await (const event of turn) told.push(event)
  await closed
  return { store, turn, told, hooks, aborted }
}

test('a parked turn ends here as interrupted by the agent, and its readers hear why', async () => {
  const { turn, told } = await parked()
  const reason = 'parked: another process may resume it'
  expect(await turn.settled).toMatchObject({ status: 'interrupted', by: 'agent', reason })
  expect(told.at(-1)).toMatchObject({ type: 'turn.parked', reason })
})

test('no hook hears of it, and what runs is aborted', async () => {
  const { hooks, aborted } = await parked()
  expect(hooks).toEqual([])
  expect(aborted).toEqual(['parked: another process may resume it'])
})

test('another agent goes on with it, as the same turn', async () => {
  const { store, turn } = await parked()
  const quick = tool({ name: 'wait', idempotent: true, run: () => 'waited' })
  const later = createAgent({ model: scriptedModel(['Done']), tools: [quick], store })
  const resumed = later.resume('c')
  expect(resumed?.id).toBe(turn.id)
  expect(await resumed).toMatchObject({ status: 'completed', text: 'Done' })
})

test('it takes no more interjections', async () => {
  const { turn } = await parked()
  expect(() => turn.interject('Hello?')).toThrow(expect.objectContaining({ code: 'turn.ended' }))
})
