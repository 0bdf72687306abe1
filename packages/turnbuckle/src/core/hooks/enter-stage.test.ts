import { block, createAgent, finish, middleware, pipeline, stage, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

// The holes that sank earlier designs, each by its name.

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)

test('a finish in front of an approval guard does not bypass it', async () => {
  const approval = middleware({ name: 'approval', guard: true, beforeTool: () => block('not approved') })
  const hasty = middleware({ name: 'hasty', beforeTool: () => finish('enough') })
  const turn = createAgent({ model: callsDanger({}), tools: [danger], use: [hasty, approval] }).send('Go')
  const { status, reason, messages } = await turn
  expect(seen()).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: 'blocked', value: 'not approved' })
  expect({ status, reason }).toEqual({ status: 'completed', reason: 'enough' })
})

test('a guard at any stage lets a turn go on that it has nothing against', async () => {
  const moderate = stage({ name: 'moderate', run: (_ctx, input) => input })
  for (const name of [...pipeline().names, 'moderate'].filter(name => name !== 'generate')) {
    const hook = `before${name[0]?.toUpperCase()}${name.slice(1)}`
    const seen: string[] = []
    const guard = middleware({ name: 'guard', guard: true, [hook]: () => void seen.push(hook) } as Definition)
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done', 'Again'])
    const look = tool({ name: 'look', run: () => 'seen' })
    const agent = createAgent({ model, tools: [look], use: [guard], pipeline: pipeline().after('append', moderate) })
    const chat = agent.conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Done' })
    expect(await chat.send('On')).toMatchObject({ status: 'completed', text: 'Again' })
    expect(seen).toContain(hook)
  }
})
