import { type BeforeContext, createAgent, type Message, type Middleware, middleware, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, twoSteps } from '../../../test/support/looking.ts'

const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const seen = () => ran.splice(0)
const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

describe('instruct', () => {
  test('for one call, or for the rest of the turn; text adds up, parameters too', async () => {
    const told = middleware({
      name: 'told',
      beforeTurn(ctx) {
        ctx.instruct('Only now.')
        ctx.instruct('All the time.', { for: 'turn' })
        ctx.instruct({ temperature: 0 })
        ctx.instruct({ topP: 1 }, { for: 'turn' })
      },
    })
    const model = twoSteps()
    const chat = createAgent({ model, instructions: 'Be kind.', tools: [look], use: [told] }).conversation()
    await chat.send('Go')
    expect(model.prompts.map(({ instructions, params }) => ({ instructions, params }))).toEqual([
      { instructions: 'Be kind.\n\nOnly now.\n\nAll the time.', params: { temperature: 0, topP: 1 } },
      { instructions: 'Be kind.\n\nAll the time.', params: { topP: 1 } },
    ])
  })
})

describe('prompt', () => {
  test('is what the coming call sends; the history is not touched by changing it', async () => {
    const model = twoSteps()
    const trim = middleware({
      name: 'trim',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, messages: ctx.prompt.messages.slice(0, 1), params: { temperature: 0 }, tools: [] }
      },
    })
    const chat = createAgent({ model, tools: [look], use: [trim] }).conversation()
    await chat.send('Go')
    expect(model.prompts[0]).toMatchObject({ params: { temperature: 0 }, tools: [] })
    expect(model.prompts[1]?.messages).toHaveLength(1)
    expect(chat.messages).toHaveLength(4)
  })

  test('a tool that a hook took out of it is not run', async () => {
    const hide = middleware({
      name: 'hide',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, tools: [] }
      },
    })
    const { messages } = await createAgent({ model: twoSteps(), tools: [look], use: [hide] }).send('Go')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error' })
  })

  test('can name another model for this call', async () => {
    const other = scriptedModel(['From the other one.'])
    const route = middleware({
      name: 'route',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, model: other }
      },
    })
    expect((await createAgent({ model: scriptedModel([]), use: [route] }).send('Go')).text).toBe('From the other one.')
  })
})

test('a per-call prompt change does not appear in history', async () => {
  const note: Message = { id: 'note', role: 'user', content: [{ type: 'text', text: 'Only for this call.' }] }
  const whisper = middleware({
    name: 'whisper',
    beforeModel(ctx) {
      if (ctx.step === 0)
        ctx.prompt = { ...ctx.prompt, messages: [...ctx.prompt.messages, note], instructions: 'Hush.' }
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'danger' }] }, 'Done'])
  const agent = createAgent({ model, tools: [danger], use: [whisper] })
  const chat = agent.conversation()
  await chat.send('Go')
  seen()
  expect(model.prompts[0]?.messages.at(-1)).toEqual(note)
  expect(model.prompts[0]?.instructions).toBe('Hush.')
  expect(model.prompts[1]?.messages).not.toContainEqual(note)
  expect(model.prompts[1]?.instructions).toBe('')
  expect(chat.messages).not.toContainEqual(note)
})

test('a prompt changed in place by one attempt is fresh for the next', async () => {
  const pushy = middleware({
    name: 'pushy',
    wrapModel: async (ctx, next) => {
      await next({ ...ctx.prompt, instructions: 'First.' })
      return next()
    },
  })
  const model = scriptedModel(['One', 'Two'])
  await createAgent({ model, instructions: 'Plain.', use: [pushy] }).send('Go')
  expect(model.prompts.map(({ instructions }) => instructions)).toEqual(['First.', 'Plain.'])
})

describe('before the model', () => {
  const sent = async (beforeModel: (ctx: BeforeContext<'model'>) => void, guard?: Middleware) => {
    const model = oneCall()
    const use = [middleware({ name: 'odd', beforeModel }), ...(guard ? [guard] : [])]
    const chat = createAgent({ model, tools: [echo], use, instructions: 'Be kind.' }).conversation()
    await chat.send('Go')
    return { model, chat }
  }

  test('what is instructed is in the coming call, and guards see it', async () => {
    const seen: string[] = []
    const guard = middleware({
      name: 'guard',
      guard: true,
      beforeModel: ctx => void seen.push(ctx.prompt.instructions),
    })
    const { model } = await sent(ctx => {
      ctx.instruct(`Step ${ctx.step}.`)
      if (ctx.step === 0) ctx.instruct('Always.', { for: 'turn' })
    }, guard)
    expect(model.prompts.map(({ instructions }) => instructions)).toEqual([
      'Be kind.\n\nStep 0.\n\nAlways.',
      'Be kind.\n\nAlways.\n\nStep 1.',
    ])
    expect(seen).toEqual(model.prompts.map(({ instructions }) => instructions))
  })

  test('an edit of the history is in the coming call: what is recorded is what was sent', async () => {
    const { model, chat } = await sent(ctx => {
      if (ctx.step === 1) ctx.messages.append({ role: 'user', content: 'Quick.' })
    })
    const recorded = chat.messages.map(({ id }) => id)
    expect(model.prompts[1]?.messages.map(({ id }) => id)).toEqual(recorded.slice(0, -1))
    expect(textOf(model.prompts[1]?.messages.at(-1))).toBe('Quick.')
  })

  test('messages that a hook chose for this call stay, whatever is edited', async () => {
    const { model } = await sent(ctx => {
      ctx.prompt.messages = ctx.prompt.messages.slice(0, 1)
      ctx.messages.append({ role: 'user', content: 'Quick.' })
    })
    expect(model.prompts[0]?.messages).toHaveLength(1)
  })
})

describe('a prompt that a hook made of the one it was given', () => {
  const sentBy = async (...use: Middleware[]) => {
    const model = oneCall()
    const chat = createAgent({ model, tools: [echo], use, instructions: 'Be kind.' }).conversation()
    await chat.send('Go')
    const recorded = chat.messages.map(({ id }) => id)
    return model.prompts.map(({ messages, instructions, params }) => {
      expect(messages.map(({ id }) => id)).toEqual(recorded.slice(0, messages.length))
      return { said: textOf(messages.at(-1)), instructions, params }
    })
  }
  const edits = middleware({
    name: 'edits',
    beforeModel: ctx => {
      if (ctx.step === 0) ctx.messages.append({ role: 'user', content: 'Quick.' })
    },
  })

  test.each<{ what: string; first: Middleware; instructions: string }>([
    {
      what: 'assigned whole',
      first: middleware({
        name: 'first',
        beforeModel: ctx => {
          ctx.prompt = { ...ctx.prompt, instructions: 'Be short.' }
        },
      }),
      instructions: 'Be short.',
    },
    {
      what: 'changed in place',
      first: middleware({
        name: 'first',
        beforeModel: ctx => {
          ctx.prompt.instructions = 'Be short.'
        },
      }),
      instructions: 'Be short.',
    },
    {
      what: 'read after an instruction',
      first: middleware({
        name: 'first',
        beforeModel: ctx => {
          ctx.instruct('Be short.')
          expect(ctx.prompt.instructions).toBe('Be kind.\n\nBe short.')
        },
      }),
      instructions: 'Be kind.\n\nBe short.',
    },
  ])('$what: what the next hook edits in the history is still sent', async ({ first, instructions }) => {
    expect((await sentBy(first, edits))[0]).toEqual({ said: 'Quick.', instructions, params: {} })
  })

  test('passed on by a wrap: what it edited and instructed is in this call, and only in this one', async () => {
    const wraps = middleware({
      name: 'wraps',
      wrapModel(ctx, next) {
        if (ctx.step > 0) return next()
        const prompt = { ...ctx.prompt, params: { temperature: 0 } }
        ctx.messages.append({ role: 'user', content: 'Quick.' })
        ctx.instruct('Be short.')
        ctx.instruct({ seed: 7 })
        return next(prompt)
      },
    })
    expect(await sentBy(wraps)).toEqual([
      { said: 'Quick.', instructions: 'Be kind.\n\nBe short.', params: { temperature: 0, seed: 7 } },
      { said: '', instructions: 'Be kind.', params: {} },
    ])
  })

  test('with messages that it chose: they stay, also with what is instructed and in every attempt', async () => {
    const model = scriptedModel([{ error: new Error('Down') }, 'Done'])
    const chooses = middleware({
      name: 'chooses',
      beforeModel(ctx) {
        ctx.prompt = { ...ctx.prompt, messages: ctx.prompt.messages.slice(-1), model }
        ctx.instruct('Be short.')
        ctx.messages.append({ role: 'user', content: 'Quick.' })
      },
      wrapModel: (_ctx, next) => next().catch(() => next()),
    })
    const agent = createAgent({ model: scriptedModel([]), use: [chooses] })
    const chat = agent.conversation({ messages: [{ role: 'user', content: 'Before' }] })
    await chat.send('Go')
    const sent = model.prompts.map(({ messages, instructions }) => [...messages.map(textOf), instructions])
    expect(sent).toEqual([
      ['Go', 'Be short.'],
      ['Go', 'Be short.'],
    ])
  })

  test('what a wrap instructs holds for every attempt inside it; the guards see it', async () => {
    const seen: string[] = []
    const model = scriptedModel([{ error: new Error('Down') }, 'Done'])
    const use = [
      middleware({
        name: 'outer',
        wrapModel(ctx, next) {
          ctx.instruct('Outer.')
          return next()
        },
      }),
      middleware({
        name: 'retry',
        wrapModel: (ctx, next) =>
          next().catch(() => {
            ctx.instruct('Retry.')
            return next()
          }),
      }),
      middleware({ name: 'guard', guard: true, beforeModel: ctx => void seen.push(ctx.prompt.instructions) }),
    ]
    await createAgent({ model, use }).send('Go')
    const sent = model.prompts.map(({ instructions }) => instructions)
    expect(sent).toEqual(['Outer.', 'Outer.\n\nRetry.'])
    expect(seen).toEqual(['', ...sent])
  })
})
