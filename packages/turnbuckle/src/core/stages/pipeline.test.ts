import {
  agentTool,
  block,
  createAgent,
  goto,
  type Message,
  middleware,
  performancePipeline,
  pipeline,
  stage,
  textOf,
  tool,
} from 'turnbuckle'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look' }] }, 'Done'], { repeat: true })
const vet = () =>
  stage({
    name: 'vet',
    description: 'look for bad words',
    estimatedMs: 5,
    properties: { team: 'safety' },
    run: (_ctx, reply: Message) => ({ fine: !textOf(reply).includes('bad') }),
  })

describe('shaping', () => {
  test('says what there is, with descriptions', () => {
    const shaped = pipeline().after('model', vet())
    expect(shaped.step.map(({ name }) => name)).toEqual(['model', 'vet', 'detect', 'append', 'tools', 'decide'])
    expect(pipeline().step.map(({ name }) => name)).toEqual(['model', 'detect', 'append', 'tools', 'decide'])
    expect(shaped.stages.find(({ name }) => name === 'vet')).toMatchObject({
      description: 'look for bad words',
      estimatedMs: 5,
      properties: { team: 'safety' },
    })
    expect(pipeline().stages.every(({ description, estimatedMs }) => description && estimatedMs)).toBe(true)
  })

  test('replace puts another stage in its place: it takes the same, and its result goes to the same place', async () => {
    const canned = stage({
      name: 'model',
      run: () => ({ id: 'x', role: 'assistant', content: [{ type: 'text', text: 'Canned.' }] }),
    })
    const agent = createAgent({ model: scriptedModel([]), pipeline: pipeline().replace('model', canned) })
    expect((await agent.send('Go')).text).toBe('Canned.')
  })

  test('remove leaves a stage out; calls that nobody runs are still answered', async () => {
    const model = looks()
    const agent = createAgent({ model, tools: [look], pipeline: pipeline().remove('tools'), maxSteps: 3 })
    const { messages } = await agent.send('Go')
    expect(checkHistory(messages)).toEqual([])
    expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked' })
    for (const prompt of model.prompts) expect(checkHistory(prompt.messages)).toEqual([])
  })

  test.each([
    {
      what: 'an unknown place',
      shape: () => pipeline().after('modle', vet()),
      code: 'stage.unknown',
      says: /Did you mean "model"\?/,
    },
    {
      what: 'a name twice',
      shape: () => pipeline().after('model', vet()).after('model', vet()),
      code: 'stage.duplicate',
      says: /choose another name/,
    },
    ...['turn', 'input', 'append', 'tool', 'generate'].map(name => ({
      what: `removing ${name}`,
      shape: () => pipeline().remove(name),
      code: 'stage.required',
      says: /The loop needs/,
    })),
    ...['turn', 'append', 'tool'].map(name => ({
      what: `another name for ${name}`,
      shape: () => pipeline().replace(name, vet()),
      code: 'stage.required',
      says: /of that name/,
    })),
    {
      what: 'removing what is not there',
      shape: () => pipeline().remove('zzz'),
      code: 'stage.unknown',
      says: /Stages here: turn, input/,
    },
  ])('$what is refused', ({ shape, code, says }) => {
    let seen: unknown
    try {
      shape()
    } catch (error) {
      seen = error
    }
    expect(seen).toMatchObject({ code })
    expect(String(seen)).toMatch(says)
  })

  test('a hook for a stage that the pipeline does not have is refused', () => {
    const own = middleware({ name: 'own', beforeVet: () => {} })
    expect(() => createAgent({ model: looks(), use: [own] })).toThrow('matches no stage')
    expect(() => createAgent({ model: looks(), use: [own], pipeline: pipeline().after('model', vet()) })).not.toThrow()
  })
})

test('hooks of a stage that only a pipeline to go to has can be registered', async () => {
  const strict = pipeline().after('model', vet())
  let vetted = 0
  const own = middleware({
    name: 'own',
    afterVet: () => void vetted++,
    afterDecide: ctx => (ctx.step === 0 ? goto(strict) : undefined),
  })
  await createAgent({ model: looks(), tools: [look], use: [own], pipelines: { strict } }).send('Go')
  expect(vetted).toBe(1)
})

test('goto(pipeline) hands over to another pipeline for the rest of the turn', async () => {
  let visits = 0
  const counted = stage({ name: 'count', run: () => ++visits })
  const strict = pipeline().after('model', counted)
  const switches = middleware({ name: 'switches', afterDecide: ctx => (ctx.step === 0 ? goto(strict) : undefined) })
  const agent = createAgent({ model: looks(), tools: [look], use: [switches] })
  const turn = agent.send('Go')
  expect(await turn).toMatchObject({ status: 'completed', steps: 2 })
  expect(visits).toBe(1)
  expect(turn.explain()).toMatchObject([{ directive: 'goto', reason: 'another pipeline', won: true }])
})

describe('a stage in the place of another', () => {
  const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

  test.each<[string, () => unknown]>([
    ['text', () => 'Own.'],
    ['a message, later', async () => ({ role: 'assistant', content: [{ type: 'text', text: 'Own.' }] })],
  ])('of model may give %s', async (_what, run) => {
    const own = pipeline().replace('model', stage({ name: 'model', run }))
    expect((await createAgent({ model: scriptedModel([]), pipeline: own }).send('Go')).text).toBe('Own.')
  })
  test('of tool may give a plain value', async () => {
    const own = pipeline().replace('tool', stage({ name: 'tool', run: ctx => `instead of ${ctx.stage}` }))
    const { messages } = await createAgent({ model: looks(), tools: [look], pipeline: own }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'instead of tool' })
  })
})

describe('a stage in the place of model', () => {
  test('may stream: its chunks are shown as they come, and usage counts', async () => {
    const own = stage({
      name: 'model',
      async *run() {
        yield { type: 'text', text: 'One ' }
        yield [
          { type: 'text', text: 'two.' },
          { type: 'usage', inputTokens: 3, outputTokens: 2 },
        ]
      },
    })
    const turn = createAgent({ model: scriptedModel([]), pipeline: pipeline().replace('model', own) }).send('Go')
    const shown: string[] = []
    for await (const event of turn) if (event.type === 'message.delta') shown.push(event.text)
    expect(shown.join('')).toBe('One two.')
    expect(await turn).toMatchObject({ text: 'One two.', usage: { inputTokens: 3, outputTokens: 2 } })
  })
  test('sees what hooks made of the prompt, and onChunk its chunks', async () => {
    const own = stage({
      name: 'model',
      async *run(_ctx, prompt: { instructions: string }) {
        yield { type: 'text', text: prompt.instructions }
      },
    })
    const hooks = middleware({
      name: 'hooks',
      beforeModel(ctx) {
        ctx.prompt.instructions = 'secret'
      },
      onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: chunk.text.toUpperCase() } : undefined),
    })
    const agent = createAgent({ model: scriptedModel([]), use: [hooks], pipeline: pipeline().replace('model', own) })
    expect((await agent.send('Go')).text).toBe('SECRET')
  })
})

describe('a stage in the place of append or step', () => {
  test.each<[string, (ctx: unknown, message: Message) => unknown, string]>([
    ['gives nothing', () => undefined, 'Go'],
    ['gives the message', (_ctx, message) => message, 'Go'],
    ['gives another text', (_ctx, { role }) => (role === 'user' ? 'Went' : undefined), 'Went'],
  ])('of append that %s keeps the history', async (_what, run, first) => {
    const own = pipeline().replace('append', stage({ name: 'append', run }))
    const chat = createAgent({ model: looks(), tools: [look], pipeline: own }).conversation()
    await chat.send('Go')
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(textOf(chat.messages[0])).toBe(first)
    expect(checkHistory(chat.messages)).toEqual([])
  })
  test('of step may answer: that is the reply', async () => {
    const own = pipeline().replace('step', stage({ name: 'step', run: () => 'Own.' }))
    const chat = createAgent({ model: scriptedModel([]), pipeline: own }).conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Own.' })
    await chat.send('On')
    expect(chat.messages.map(textOf)).toEqual(['Go', 'Own.', 'On', 'Own.'])
  })
})

describe('guards hold without hooks', () => {
  const counted = () => {
    const ran: string[] = []
    const shell = tool({ name: 'shell', run: () => ran.push('shell') })
    const deny = middleware({ name: 'deny', guard: true, beforeTool: () => block('never') })
    return { ran, shell, deny }
  }
  const shells = () => scriptedModel([{ calls: [{ name: 'shell', id: 's1' }] }, 'Done'])

  test('in an agent of their own', async () => {
    const { ran, shell, deny } = counted()
    const agent = createAgent({ model: shells(), tools: [shell], use: [deny], pipeline: performancePipeline() })
    const { messages } = await agent.send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value: 'never' })
    expect(ran).toEqual([])
  })
  test('for one turn', async () => {
    const { ran, shell, deny } = counted()
    const agent = createAgent({ model: shells(), tools: [shell], pipeline: performancePipeline() })
    await agent.conversation().send('Go', { use: [deny] })
    expect(ran).toEqual([])
  })
  test('in a sub-agent', async () => {
    const { ran, shell } = counted()
    const child = createAgent({ model: shells(), tools: [shell], pipeline: performancePipeline() })
    const model = scriptedModel([{ calls: [{ name: 'child', args: { task: 'go' } }] }, 'Done'])
    const outer = middleware({
      name: 'outer',
      guard: true,
      beforeTool: ctx => (ctx.call.name === 'shell' ? block('never') : undefined),
    })
    await createAgent({ model, tools: [agentTool(child, { name: 'child' })], use: [outer] }).send('Go')
    expect(ran).toEqual([])
  })
  test('after a goto', async () => {
    const { ran, shell, deny } = counted()
    const model = scriptedModel(['First', { calls: [{ name: 'shell' }] }, 'Done'])
    const leaves = middleware({
      name: 'leaves',
      afterDecide: ({ step }) => (step === 0 ? goto(performancePipeline()) : undefined),
    })
    const { steps } = await createAgent({ model, tools: [shell], use: [deny, leaves] }).send('Go')
    expect(steps).toBe(3)
    expect(ran).toEqual([])
  })
  test('the agent says whose hooks its pipeline leaves out', () => {
    const { deny } = counted()
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const plain = middleware({ name: 'plain', beforeStep: () => {} })
    createAgent({ model: shells(), use: [deny, plain], pipeline: performancePipeline() })
    expect(said.mock.calls.flat().join()).toMatch(/has no hooks but those of guards: plain left out/)
    said.mockRestore()
  })

  test('a pipeline to go to says what it leaves out, too', () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const plain = middleware({ name: 'plain', beforeModel() {} })
    createAgent({ model: scriptedModel([]), pipelines: { fast: performancePipeline() }, use: [plain] })
    expect(said.mock.calls.flat().join()).toMatch(/plain left out/)
    said.mockRestore()
  })
})
