import {
  type BeforeContext,
  type Chunk,
  type Context,
  createAgent,
  type Directive,
  type Draft,
  goto,
  type Message,
  type Middleware,
  type Model,
  middleware,
  replace,
  type ShownChunk,
  skip,
  stop,
  type Turn,
  type TurnbuckleError,
  textOf,
  tool,
} from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]

/** Sentences of the design, each of which was once not true. */

const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])
const results = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
/** An `onChunk` that acts on the word END. */
const ends = (act: () => unknown) => (chunk: ShownChunk) =>
  (chunk.type === 'text' && chunk.text.includes('END') ? act() : undefined) as Directive | undefined
const broken = () => {
  throw new Error('broken')
}
const codeOf = (act: () => unknown): string => {
  try {
    act()
    return 'accepted'
  } catch (error) {
    return (error as TurnbuckleError).code
  }
}

test('an error that fails two turns carries the result of the one that was awaited', async () => {
  const error = new Error('Down')
  const agent = createAgent({ model: scriptedModel([{ error }, { text: 'Half', error }]) })
  await expect(agent.send('One')).rejects.toHaveProperty('result.text', '')
  await expect(agent.send('Two')).rejects.toHaveProperty('result.text', 'Half')
})

describe('goto', () => {
  const jumping = async (hook: string, to: string, options: { maxSteps?: number; always?: boolean } = {}) => {
    let jumped = false
    const jump = middleware({
      name: 'jump',
      [hook]: (): Directive | undefined => {
        if (jumped && !options.always) return undefined
        jumped = true
        return goto(to)
      },
    } as Definition)
    const model = options.always ? scriptedModel(['Again'], { repeat: true }) : oneCall()
    return createAgent({ model, tools: [echo], use: [jump], maxSteps: options.maxSteps ?? 50 }).send('Go').settled
  }

  test('cannot open more model stages than maxSteps', async () => {
    const { status, by, steps } = await jumping('afterModel', 'model', { maxSteps: 5, always: true })
    expect({ status, by, steps }).toEqual({ status: 'stopped', by: 'maxSteps', steps: 5 })
  })

  test('to the tools, past the detection, runs the calls of the reply', async () => {
    const { messages, text } = await jumping('afterModel', 'tools')
    expect(results(messages)).toMatchObject([{ status: 'ok', value: { n: 1 } }])
    expect(text).toBe('Done')
  })

  test('to the model, after the decision to go on, leaves that decision behind', async () => {
    const { messages, steps } = await jumping('afterDecide', 'model')
    expect(steps).toBe(2)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done' }] })
  })

  test('away from a call tells the model that it was not run', async () => {
    const { messages } = await jumping('beforeTool', 'decide')
    expect(results(messages)).toMatchObject([{ status: 'blocked', value: 'The call was not run.' }])
  })
})

describe('a value that cannot be the result of the stage', () => {
  test.each([
    { hook: 'afterModel', give: replace(42) },
    { hook: 'afterDetect', give: replace('no list') },
    { hook: 'afterInput', give: replace(42) },
  ])('is reported where an after hook gave it: $hook', async ({ hook, give }) => {
    const odd = middleware({ name: 'odd', [hook]: () => give } as Definition)
    const turn = createAgent({ model: oneCall(), tools: [echo], use: [odd] }).send('Go')
    const failures: string[] = []
    for await (const event of turn) if (event.type === 'hook.failed') failures.push(event.name)
    expect(failures.length).toBeGreaterThan(0)
    expect(await turn).toMatchObject({ status: 'completed', text: 'Done' })
    expect(turn.explain()).toEqual([])
  })

  test('is the failure of the before hook that gave it', async () => {
    const odd = middleware({ name: 'odd', beforeModel: () => skip(42) })
    const { error, by } = await createAgent({ model: oneCall(), use: [odd] }).send('Go').settled
    expect({ by, kind: (error as TurnbuckleError).kind }).toEqual({ by: 'odd', kind: 'hook' })
  })
})

test('state is immutable through and through, the first one too', async () => {
  const refused: boolean[] = []
  const counter = middleware({
    name: 'counter',
    state: { list: [1] },
    beforeModel(ctx) {
      refused.push(!Reflect.set(ctx.state.list, 0, 2))
      ctx.update(({ list }) => ({ list: [...list, 2] }))
      refused.push(!Reflect.set(ctx.state.list, 0, 2))
    },
  })
  await createAgent({ model: scriptedModel(['Hi']), use: [counter] }).send('Go')
  expect(refused).toEqual([true, true])
})

test('a guard whose wrap changes the input has failed: the call is blocked', async () => {
  const guard = middleware({
    name: 'guard',
    guard: true,
    wrapTool: (ctx, next) => next({ ...ctx.call, args: { n: 2 } }),
  })
  const { messages } = await createAgent({ model: oneCall(), tools: [echo], use: [guard] }).send('Go')
  expect(results(messages)).toMatchObject([{ status: 'blocked' }])
})

test('an answer to a request of another conversation is foreign', async () => {
  const asks = middleware({
    name: 'asks',
    beforeModel: async ctx => void (await ctx.ask('clarification', 'Which?')),
  })
  const agent = createAgent({ model: scriptedModel(['Hi', 'Hi']), use: [asks] })
  const [one, other] = [agent.conversation(), agent.conversation()]
  const turns = [one.send('Go'), other.send('Go')]
  while (!one.requests.length || !other.requests.length) await Promise.resolve()
  const id = other.requests[0]?.id ?? ''
  expect(codeOf(() => one.answer(id, { text: 'This' }))).toBe('request.foreign')
  expect(codeOf(() => turns[0]?.answer(id, { text: 'This' }))).toBe('request.foreign')
  other.answer(id, { text: 'This' })
  one.answer(one.requests[0]?.id ?? '', { text: 'That' })
  await Promise.all(turns)
  expect(codeOf(() => one.answer(id, { text: 'This' }))).toBe('request.unknown')
})

describe('the turn', () => {
  const answer = async (hooks: object) => {
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    const { text, status, steps, messages } = await createAgent({ model: scriptedModel(['Hi']), use: [odd] }).send('Go')
    return { text, status, steps, said: messages.map(textOf) }
  }

  test('works on the message that a before hook put in its place', async () => {
    const beforeTurn = (ctx: { message: Message }) => {
      ctx.message = { ...ctx.message, content: [{ type: 'text', text: 'Other' }] }
    }
    expect(await answer({ beforeTurn })).toMatchObject({ said: ['Other', 'Hi'] })
    const skipping = { beforeTurn: (ctx: { message: Message }) => [beforeTurn(ctx), skip('No')][1] }
    expect(await answer(skipping)).toMatchObject({ said: ['Other', 'No'] })
  })

  test.each([
    { what: 'a string', hooks: { beforeTurn: () => skip('Ready') } },
    { what: 'a message', hooks: { beforeTurn: () => skip({ role: 'assistant', content: 'Ready' }) } },
    { what: 'what a wrap returned', hooks: { wrapTurn: () => 'Ready' } },
  ])('is answered without the loop by $what', async ({ hooks }) => {
    expect(await answer(hooks)).toEqual({ text: 'Ready', status: 'completed', steps: 0, said: ['Go', 'Ready'] })
  })
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

test('a stage has only what it takes', async () => {
  const seen: unknown[] = []
  const curious = middleware({
    name: 'curious',
    beforeTurn: ctx => void seen.push('prompt' in ctx && ctx.prompt),
    beforeModel: ctx => void seen.push('message' in ctx && ctx.message),
    beforeTool: ctx => void seen.push(codeOf(() => Object.assign(ctx, { prompt: {} }))),
  })
  await createAgent({ model: oneCall(), tools: [echo], use: [curious] }).send('Go')
  expect(seen).toEqual([undefined, undefined, 'context.foreign', undefined])
})

test('a conversation is found by its id while somebody holds it, and is interrupted when the agent closes', async () => {
  const agent = createAgent({ model: scriptedModel(['Hi', { text: 'Late', delayMs: 60_000 }]) })
  const chat = agent.conversation()
  await chat.send('Go')
  expect(agent.conversation(chat.id).messages).toEqual(chat.messages)
  const turn = chat.send('On')
  await agent.close()
  expect((await turn).status).toBe('interrupted')
})

test('a scripted model waits on the clock of its agent', async () => {
  const clock = virtualClock()
  const turn = createAgent({ model: scriptedModel([{ text: 'Late', delayMs: 60_000 }]), clock }).send('Go')
  await clock.advance(59_999)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  expect((await turn).text).toBe('Late')
})

test.each([
  { wrong: 'befoerTool', right: 'beforeTool' },
  { wrong: 'onChunks', right: 'onChunk' },
  { wrong: 'prioritiy', right: 'priority' },
])('a misspelt member is refused with the nearest: $wrong', ({ wrong, right }) => {
  const make = () => middleware({ name: 'odd', [wrong]: () => undefined } as Definition)
  expect(make).toThrow(`Did you mean "${right}"?`)
})

test('after hooks find the result of their stage in the draft', async () => {
  const seen: unknown[] = []
  const spy = middleware({
    name: 'spy',
    afterInput: ctx => void seen.push(ctx.draft.userMessage?.role),
    afterModel: ctx => void seen.push(ctx.draft.reply === ctx.reply),
    afterTools: ctx => void seen.push(ctx.draft.results),
  })
  await createAgent({ model: oneCall(), tools: [echo], use: [spy] }).send('Go')
  expect(seen).toEqual(['user', true, [{ status: 'ok', value: { n: 1 } }], true])
})

describe('the draft is cleared when the step ends', () => {
  test.each<{ what: string; hooks: object; error?: Error; status: string }>([
    { what: 'completed', hooks: {}, status: 'completed' },
    { what: 'stopped', hooks: { afterModel: () => stop('enough') }, status: 'stopped' },
    { what: 'failed', hooks: {}, error: new Error('Down'), status: 'failed' },
    {
      what: 'interrupted',
      hooks: { afterModel: (ctx: Context) => ctx.turn.interrupt() },
      status: 'interrupted',
    },
  ])('and a turn that is $what has none left', async ({ hooks, error, status }) => {
    const script = [{ text: 'Half', ...(error ? { error } : {}) }]
    let turn: Turn | undefined
    const draft = new Promise<Draft>(resolve => {
      const spy = middleware({ name: 'spy', ...hooks, afterTurn: ctx => resolve(ctx.draft) })
      turn = createAgent({ model: scriptedModel(script), use: [spy] }).send('Go')
    })
    expect(await turn?.settled).toMatchObject({ status, text: 'Half' })
    const { text, reply, calls, results, errors, userMessage } = await draft
    expect({ text, reply, calls, results, errors }).toEqual({ text: '', calls: [], results: [], errors: [] })
    expect(textOf(userMessage)).toBe('Go')
  })
})

test("a hook's own model call can be answered by another hook", async () => {
  const said: string[] = []
  const use = [
    middleware({ name: 'cache', beforeGenerate: () => skip('Cached.') }),
    middleware({
      name: 'judge',
      async afterModel(ctx) {
        said.push((await ctx.generate(scriptedModel([]), 'Judge.')).text)
      },
    }),
  ]
  await createAgent({ model: scriptedModel(['Hi']), use }).send('Go')
  expect(said).toEqual(['Cached.'])
})

describe('the result of decide is whether the turn goes on', () => {
  const deciding = async (hooks: object) => {
    const seen: boolean[] = []
    const spy = middleware({ name: 'spy', afterDecide: ctx => void seen.push(ctx.goesOn) })
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    const agent = createAgent({ model: scriptedModel(['One', 'Two', 'Three']), use: [spy, odd], maxSteps: 3 })
    const { steps, status } = await agent.send('Go').settled
    return { steps, status, seen }
  }
  const first = (what: unknown) => (ctx: Context) => (ctx.step === 0 ? what : undefined)

  test.each<{ what: string; hooks: object; steps: number; seen: boolean[] }>([
    { what: 'replace(true)', hooks: { afterDecide: first(replace(true)) }, steps: 2, seen: [true, false] },
    { what: 'replace(false)', hooks: { afterDecide: first(replace(false)) }, steps: 1, seen: [false] },
    {
      what: 'a wrap that returns true',
      hooks: { wrapDecide: (ctx: Context) => ctx.step === 0 },
      steps: 2,
      seen: [true, false],
    },
    { what: 'skip, whatever its value', hooks: { beforeDecide: () => skip(true) }, steps: 1, seen: [false] },
  ])('$what', async ({ hooks, steps, seen }) => {
    expect(await deciding(hooks)).toEqual({ steps, status: 'completed', seen })
  })

  test('skip ends a turn whose model asked for tools, and says so', async () => {
    const seen: boolean[] = []
    const odd = middleware({ name: 'odd', beforeDecide: () => skip(), afterDecide: ctx => void seen.push(ctx.goesOn) })
    const { steps } = await createAgent({ model: oneCall(), tools: [echo], use: [odd] }).send('Go')
    expect({ steps, seen }).toEqual({ steps: 1, seen: [false] })
  })

  test('anything else is refused', async () => {
    const { steps, seen } = await deciding({ afterDecide: first(replace('yes')) })
    expect({ steps, seen }).toEqual({ steps: 1, seen: [false] })
  })
})

describe('a reply that is not whole', () => {
  const length = { type: 'finish', reason: 'length' } as const
  const call = (id: string, args: unknown) => ({ type: 'call', id, name: 'echo', args }) as const
  const said = { type: 'text', text: 'Let me' } as const
  const cutAfter = async (chunks: readonly Chunk[], hooks: object = {}) => {
    const model = scriptedModel([{ chunks }, 'Done'])
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    return createAgent({ model, tools: [echo], use: [odd] }).send('Go')
  }

  test.each<{ what: string; chunks: readonly Chunk[]; statuses: string[] }>([
    { what: 'inside the JSON of a call', chunks: [said, call('c1', '{"n":'), length], statuses: ['error'] },
    { what: 'by its length, after text', chunks: [said, length], statuses: [] },
    {
      what: 'by its length, with a call at its end',
      chunks: [said, call('c1', '{"n":1}'), length],
      statuses: ['error'],
    },
    {
      what: 'by its length, in a second call',
      chunks: [call('c1', {}), call('c2', {}), length],
      statuses: ['ok', 'error'],
    },
    { what: 'by its length, after a call', chunks: [call('c1', {}), said, length], statuses: ['ok'] },
  ])('$what: it is kept and marked, and what may have been cut is not run', async ({ chunks, statuses }) => {
    const { messages, status } = await cutAfter(chunks)
    expect(status).toBe('completed')
    expect(messages[1]).toMatchObject({ role: 'assistant', interrupted: true })
    expect(results(messages).map(result => result.status)).toEqual(statuses)
    for (const { status, value } of results(messages)) if (status === 'error') expect(value).toMatch(/cut off.*again/)
  })

  test('calls that a hook gives instead are run', async () => {
    const beforeDetect = (ctx: { step: number }) =>
      ctx.step ? undefined : skip([{ id: 'c1', name: 'echo', args: { n: 2 } }])
    const { messages } = await cutAfter([call('c1', {}), length], { beforeDetect })
    expect(results(messages)).toMatchObject([{ status: 'ok', value: { n: 2 } }])
  })

  test.each<{ what: string; hooks: object; status: string }>([
    { what: 'stop', hooks: { onChunk: ends(() => stop('enough')) }, status: 'stopped' },
    { what: 'an asynchronous stop', hooks: { onChunk: ends(async () => stop('enough')) }, status: 'stopped' },
    { what: 'a guard that fails', hooks: { guard: true, onChunk: ends(broken) }, status: 'failed' },
  ])('ended by $what in onChunk: what was shown is kept and marked, nothing more is shown', async given => {
    const chunks = ['Let', ' me', ' END', ' see'].map(text => ({ type: 'text', text }) as const)
    for (const script of [chunks, [chunks]]) {
      const model = scriptedModel([{ chunks: script }])
      const odd = middleware({ name: 'odd', ...given.hooks } as Definition)
      const behind = middleware({ name: 'behind', onChunk: async chunk => chunk })
      const turn = createAgent({ model, use: [odd, behind] }).send('Go')
      let shown = ''
      for await (const event of turn) if (event.type === 'message.delta') shown += event.text
      const { status, messages, text } = await turn.settled
      expect({ status, text, shown }).toEqual({ status: given.status, text: 'Let me', shown: 'Let me' })
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', interrupted: true })
    }
  })

  test('a stop in onChunk does not wait for a model that says nothing more', async () => {
    const deaf = {
      id: 'deaf',
      async *stream() {
        yield { type: 'text', text: 'END' } as const
        await new Promise(() => {})
      },
    }
    const odd = middleware({ name: 'odd', onChunk: ends(() => stop('enough')) })
    expect(await createAgent({ model: deaf, use: [odd] }).send('Go')).toMatchObject({ status: 'stopped', text: '' })
  })
})

describe('a call that the provider ran itself, under an id that was used before', () => {
  const chunks = [
    { type: 'call', id: 'c1', name: 'search', args: {} },
    { type: 'result', id: 'c1', name: 'search', status: 'ok', value: 'Found.' },
    { type: 'call', id: 'c1', name: 'search', args: {} },
    { type: 'result', id: 'c1', name: 'search', status: 'ok', value: 'Found more.' },
    { type: 'text', text: 'Found.' },
  ] as const

  test('keeps its result', async () => {
    const chat = createAgent({ model: scriptedModel([{ chunks }, { chunks }]) }).conversation()
    for (const text of ['One', 'Two']) {
      const { messages, steps } = await chat.send(text)
      expect(steps).toBe(1)
      const parts = messages.flatMap(({ content }) => content)
      const calls = parts.filter(part => part.type === 'call').map(({ id }) => id)
      expect(results(messages).map(({ id, value }) => [id, value])).toEqual([
        [calls[0], 'Found.'],
        [calls[1], 'Found more.'],
      ])
    }
    const ids = chat.messages.flatMap(({ content }) => content.filter(part => part.type === 'call').map(({ id }) => id))
    expect(new Set(ids).size).toBe(4)
  })

  test('and when it reports its whole loop', async () => {
    const model: Model = {
      id: 'observed',
      loop: 'observe',
      async *stream() {
        yield chunks[0]
        yield chunks[1]
        yield chunks[2]
        yield chunks[3]
        yield chunks[4]
      },
    }
    const { messages } = await createAgent({ model }).send('Go')
    expect(results(messages).map(({ value }) => value)).toEqual(['Found.', 'Found more.'])
  })
})
