import { type BeforeContext, createAgent, type Middleware, middleware, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

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

describe('a message that was recorded is not changed in place', () => {
  const rewrite = ([message]: readonly unknown[]): void => {
    const [part] = (message as { content: [{ text: string }] }).content
    part.text = 'Rewritten'
  }

  test.each([
    { by: 'a hook, in the prompt', use: middleware({ name: 'odd', beforeModel: ctx => rewrite(ctx.prompt.messages) }) },
    { by: 'a hook, in the history', use: middleware({ name: 'odd', afterTool: ctx => rewrite([...ctx.messages]) }) },
    { by: 'a hook, in one', use: middleware({ name: 'odd', afterTool: ctx => rewrite([ctx.messages.at(0)]) }) },
    { by: 'a tool', run: (_args: unknown, ctx: { path: readonly unknown[] }) => rewrite(ctx.path) },
  ])('by $by', async ({ use, run = () => 'ok' }) => {
    const agent = createAgent({ model: oneCall(), tools: [tool({ name: 'echo', run })], use: use ? [use] : [] })
    const chat = agent.conversation()
    await chat.send('Go').settled
    expect(chat.messages.map(textOf)[0]).toBe('Go')
  })

  test('by whoever reads the conversation', async () => {
    const chat = createAgent({ model: oneCall(), tools: [echo] }).conversation()
    await chat.send('Go')
    expect(() => rewrite(chat.messages)).toThrow(TypeError)
    expect(textOf(chat.messages[0])).toBe('Go')
  })
})
