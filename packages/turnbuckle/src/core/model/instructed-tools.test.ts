import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const tools = ['read', 'git_log', 'git_push'].map(name => tool({ name, run: () => name }))
const threeSteps = () =>
  scriptedModel([{ calls: [{ name: 'read' }] }, { calls: [{ name: 'read', args: { n: 2 } }] }, 'Done'])
const offered = (model: ReturnType<typeof scriptedModel>) =>
  model.prompts.map(prompt => prompt.tools.map(({ name }) => name).join())

describe('tools that a hook instructs with', () => {
  test('are offered for the rest of the turn, and no others', async () => {
    const model = threeSteps()
    const use = [
      middleware({
        name: 'narrow',
        beforeTurn: ctx => ctx.instruct({ tools: ['read'], toolChoice: 'required' }, { for: 'turn' }),
      }),
    ]
    const chat = createAgent({ model, tools, use }).conversation()
    await chat.send('Go')
    expect(offered(model)).toEqual(['read', 'read', 'read'])
    expect(model.prompts.map(({ params }) => params)).toEqual(Array(3).fill({ toolChoice: 'required' }))
  })

  test('are given for the next call alone by default; the last word counts', async () => {
    const model = threeSteps()
    const use = [
      middleware({
        name: 'narrow',
        beforeTurn(ctx) {
          ctx.instruct({ tools: ['git_push'] })
          ctx.instruct({ tools: [/^git_/] })
        },
        beforeStep: ctx => (ctx.step === 2 ? ctx.instruct({ tools: [] }) : undefined),
      }),
    ]
    await createAgent({ model, tools, use }).send('Go')
    expect(offered(model)).toEqual(['git_log,git_push', 'read,git_log,git_push', ''])
  })

  test('may be tools, or specs with other words', async () => {
    const model = threeSteps()
    const read = tool({ name: 'read', run: () => 'read' })
    const spec = { name: 'git_log', description: 'Only the last ten.', schema: { type: 'object' } }
    const use = [
      middleware({ name: 'reword', beforeTurn: ctx => ctx.instruct({ tools: [read, spec] }, { for: 'turn' }) }),
    ]
    await createAgent({ model, tools, use }).send('Go')
    expect(model.prompts[2]?.tools).toMatchObject([{ name: 'read' }, spec])
  })

  test('cannot be called where they were left out', async () => {
    const model = scriptedModel([{ calls: [{ name: 'git_push' }] }, 'Done'])
    const use = [middleware({ name: 'narrow', beforeTurn: ctx => ctx.instruct({ tools: ['read'] }, { for: 'turn' }) })]
    const { messages } = await createAgent({ model, tools, use }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({
      status: 'error',
      value: 'There is no tool "git_push". Tools here: read.',
    })
  })

  test('have to be tools of the agent', async () => {
    const use = [middleware({ name: 'narrow', beforeTurn: ctx => ctx.instruct({ tools: ['raed'] }) })]
    const { error } = await createAgent({ model: threeSteps(), tools, use }).send('Go').settled
    expect(error).toMatchObject({ message: expect.stringContaining('no tool "raed". Did you mean "read"?') })
  })
})
