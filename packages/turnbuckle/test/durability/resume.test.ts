import { type Agent, createAgent, type Middleware, middleware, rewind, type ToolResult, tool } from 'turnbuckle'
import { type ConversationStore, createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { frozenAt } from './frozen-driver.ts'

interface Scenario {
  readonly name: string
  /** What the model says, by the number of assistant messages on the path: the same after a crash. */
  readonly replies: readonly ScriptedStep[]
  readonly use?: () => readonly Middleware[]
  readonly idempotent?: boolean
}

const call = (line: string) => ({ name: 'note', args: { line }, id: `call_${line}` })

const scenarios: readonly Scenario[] = [
  { name: 'plain', replies: ['Hello.'] },
  { name: 'one tool', replies: [{ text: 'Let me see.', calls: [call('a')] }, 'Done.'] },
  {
    name: 'parallel tools',
    replies: [{ calls: ['a', 'b', 'c'].map(call) }, 'Done.'],
  },
  {
    name: 'hooks with state',
    replies: [{ calls: [call('a')] }, { calls: [call('b')] }, 'Done.'],
    use: () => [counting('turn'), counting('branch'), counting('conversation')],
  },
  {
    name: 'edits',
    replies: [{ calls: [call('a')] }, 'Done.'],
    use: () => [
      middleware({
        name: 'editor',
        beforeStep(ctx) {
          const first = ctx.messages.at(0)
          if (ctx.step === 1 && first) ctx.messages.replace(first.id, { role: 'user', content: 'Edited.' })
        },
      }),
    ],
  },
  {
    name: 'rewind',
    replies: [{ calls: [call('a')] }, 'Bad.', 'Good.'],
    use: () => [
      middleware({
        name: 'critic',
        state: { done: false },
        afterDecide(ctx) {
          if (ctx.goesOn || ctx.state.done) return
          ctx.update(() => ({ done: true }))
          return rewind(1, 'Try again.')
        },
      }),
    ],
  },
]

const counting = (scope: 'turn' | 'branch' | 'conversation') =>
  middleware({
    name: `count-${scope}`,
    scope,
    state: { n: 0 },
    beforeTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
    afterTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
    afterTurn: ctx => ctx.emit({ type: 'count.told', scope, n: ctx.state.n }),
  })

function agentOn(store: ConversationStore, scenario: Scenario, ran: string[]): Agent {
  const note = tool<{ line: string }>({
    name: 'note',
    idempotent: scenario.idempotent ?? false,
    run: ({ line }) => {
      ran.push(line)
      return `noted ${line}`
    },
  })
  const model = scriptedModel(
    [
      async prompt => {
        const said = prompt.messages.filter(message => message.role === 'assistant').length
        const critic = prompt.messages.some(message => message.by === 'critic') ? 1 : 0
        const reply = scenario.replies[said + critic]
        return typeof reply === 'function' ? reply(prompt) : (reply ?? 'The script is over.')
      },
    ],
    { repeat: true },
  )
  let turns = 0
  return createAgent({
    model,
    tools: [note],
    store,
    breaker: false,
    use: scenario.use?.() ?? [],
    ids: { next: kind => `${kind}_${++turns}` },
  })
}

const treeOf = async (store: ConversationStore) =>
  (await store.nodes('c')).map(({ id, parent, message, state }) => ({ id, parent, message, state }))

async function resumed(driver: Driver, scenario: Scenario, ran: string[]) {
  const store = createStore(driver, { leaseMs: 0 })
  const agent = agentOn(store, scenario, ran)
  const turn = agent.resume('c')
  if (!turn) return { store, status: 'nothing' }
  const events: (number | undefined)[] = []
  for await (const event of turn) {
    if (event.type === 'request.opened' && event.kind === 'outcome')
      turn.answer(event.requestId, { outcome: 'happened' })
    if (event.seq !== undefined) events.push(event.seq)
  }
  expect(events).toEqual(events.map((_seq, i) => i + 1))
  return { store, status: (await turn.settled).status }
}

for (const scenario of scenarios) {
  test(`${scenario.name}: whatever commit the process dies at, the tree becomes the same`, async () => {
    const undisturbed = memoryStore()
    await agentOn(undisturbed, scenario, []).conversation('c').send('Go.')
    const expected = await treeOf(undisturbed)
    const counted = frozenAt(memoryStore().driver, Infinity, false)
    await agentOn(createStore(counted), scenario, []).conversation('c').send('Go.')
    for (let commit = 2; commit <= counted.commits; commit++)
      for (const done of [false, true]) {
        const driver = memoryStore().driver
        const ran: string[] = []
        const dying = frozenAt(driver, commit, done)
        const turn = agentOn(createStore(dying, { leaseMs: 0 }), scenario, ran)
          .conversation('c')
          .send('Go.')
        await Promise.race([dying.died, turn.settled])
        await new Promise(setImmediate)
        const { store, status } = await resumed(driver, scenario, ran)
        const where = `at commit ${commit}, ${done ? 'done' : 'not done'}`
        if (status !== 'nothing') expect(status, where).toBe('completed')
        const tree = await treeOf(store)
        expect(tree.map(shape), where).toEqual(expected.map(shape))
        expect(ran.length, `${where}: ${ran}`).toBe(new Set(ran).size)
      }
  })
}

/** A call whose outcome a person had to tell has another value; everything else is the same. */
const shape = ({ id, parent, message, state }: Awaited<ReturnType<typeof treeOf>>[number]) => ({
  id,
  parent,
  role: message.role,
  state,
  content: message.content.map(part =>
    part.type === 'result' ? { ...part, status: known(part), value: undefined } : part,
  ),
})
const known = ({ status }: ToolResult) => (status === 'unknown' ? 'ok' : status)
