import { block, createAgent, type Model, middleware, type Returned, type StreamOptions, textOf, tool } from 'turnbuckle'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { timed } from '../../../test/support/timed.ts'

const giveN = tool({ name: 'echo', run: ({ n }) => n })
const ran: unknown[] = []
const look = tool({
  name: 'look',
  run(args, ctx) {
    ran.push(args)
    if ((args as { say?: string }).say) ctx.interject((args as { say: string }).say)
    return 'seen'
  },
})

describe('a model that runs the loop itself', () => {
  const managed = (id: string, fails: number, text: string): Model & { began: number } => ({
    id,
    loop: 'intercept',
    began: 0,
    async *stream(_prompt, { runTools }) {
      this.began++
      const returned = await runTools?.([{ id: `${id}-${this.began}`, name: 'echo', args: { n: this.began } }])
      yield { type: 'text', text }
      if (this.began <= fails) throw new Error('cut')
      yield { type: 'text', text: ` after ${returned?.results.length} result` }
    },
  })
  const again = middleware({ name: 'again', wrapModel: (_ctx, next) => next().catch(() => next()) })

  test('begins anew when an attempt at it is made again', async () => {
    const model = managed('m', 1, 'ok')
    const result = await createAgent({ model, tools: [giveN], use: [again] }).send('go')
    expect([result.status, result.text, model.began]).toEqual(['completed', 'ok after 1 result', 2])
  })

  test('gives way to another model', async () => {
    const other = managed('other', 0, 'other')
    const use = [
      middleware({
        name: 'switch',
        wrapModel: (ctx, next) => next().catch(() => next({ ...ctx.prompt, model: other })),
      }),
    ]
    const result = await createAgent({ model: managed('m', 9, 'no'), tools: [giveN], use }).send('go')
    expect([result.status, result.text]).toEqual(['completed', 'other after 1 result'])
  })

  test('is aborted when an attempt is ended', async () => {
    const clock = virtualClock()
    let aborted = false
    const stuck: Model = {
      id: 'stuck',
      loop: 'intercept',
      async *stream(_prompt, { signal }) {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        yield { type: 'text', text: 'so far' }
        await new Promise(() => {})
      },
    }
    const turn = createAgent({ model: stuck, clock, use: [timed('model', 50)] }).send('go')
    await clock.advance(50)
    expect((await turn.settled).status).toBe('failed')
    expect([aborted, clock.timers]).toEqual([true, 0])
  })
})

describe('a model that runs the loop itself, through our tools', () => {
  const looping = (rounds: readonly unknown[][], got: Returned[] = []): Model => ({
    id: 'looping',
    loop: 'intercept',
    async *stream(_prompt, { runTools }) {
      for (const [i, round] of rounds.entries()) {
        yield { type: 'text', text: `Round ${i}.` }
        const calls = round.map((args, n) => ({ id: `r${i}c${n}`, name: 'look', args }))
        got.push((await runTools?.(calls)) as Returned)
      }
      yield [
        { type: 'text', text: 'All ' },
        { type: 'text', text: 'done.' },
        { type: 'usage', inputTokens: 7, outputTokens: 3 },
      ]
    },
  })

  test('each round is a step: messages, calls and results land in the tree', async () => {
    ran.length = 0
    const got: Returned[] = []
    const chat = createAgent({ model: looping([[{ a: 1 }, { a: 2 }], [{ a: 3 }]], got), tools: [look] }).conversation()
    const result = await chat.send('Go')
    expect(result).toMatchObject({ status: 'completed', text: 'All done.', steps: 3 })
    expect(result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    expect(ran).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
    expect(got.map(({ results }) => results.map(({ status }) => status))).toEqual([['ok', 'ok'], ['ok']])
    expect(chat.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'tool'],
      ...['assistant', 'tool', 'assistant'],
    ])
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test('guards hold: a blocked call reaches it as blocked', async () => {
    ran.length = 0
    const got: Returned[] = []
    const guard = middleware({ name: 'guard', guard: true, beforeTool: () => block('no') })
    await createAgent({ model: looping([[{}]], got), tools: [look], use: [guard] }).send('Go')
    expect(ran).toEqual([])
    expect(got[0]?.results).toEqual([{ status: 'blocked', value: 'no' }])
  })

  test('interjections reach it with the results, in order', async () => {
    const got: Returned[] = []
    const agent = createAgent({ model: looping([[{ say: 'One.' }, { say: 'Two.' }], [{}]], got), tools: [look] })
    await agent.send('Go')
    expect(got.map(({ interjections }) => interjections.map(textOf))).toEqual([['One.', 'Two.'], []])
  })

  test('an interrupt ends its loop: its wait for tools is refused', async () => {
    const refused: unknown[] = []
    const model: Model = {
      id: 'waiting',
      loop: 'intercept',
      async *stream(_prompt, { runTools }) {
        yield { type: 'text', text: 'Hm.' }
        await runTools?.([{ id: 'a', name: 'hang', args: {} }]).catch(error => refused.push(error.code))
      },
    }
    const hang = tool({ name: 'hang', run: () => new Promise(() => {}) })
    const chat = createAgent({ model, tools: [hang] }).conversation()
    const turn = chat.send('Go')
    for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt()
    await new Promise(resolve => setImmediate(resolve))
    expect(refused).toEqual(['turn.ended'])
    expect(chat.messages[2]?.content[0]).toMatchObject({ status: 'interrupted' })
  })

  test('its failure is the turn’s', async () => {
    const model: Model = {
      id: 'broken',
      loop: 'intercept',
      // biome-ignore lint/correctness/useYield: it fails before it says anything
      async *stream() {
        throw new Error('its process died')
      },
    }
    expect(await createAgent({ model }).send('Go').settled).toMatchObject({
      status: 'failed',
      reason: 'its process died',
    })
  })

  test('a stop ends it between two rounds', async () => {
    const { stop } = await import('turnbuckle')
    const limit = middleware({ name: 'limit', beforeStep: ctx => (ctx.step === 1 ? stop('one round') : undefined) })
    ran.length = 0
    const { status, messages } = await createAgent({ model: looping([[{}], [{}]]), tools: [look], use: [limit] }).send(
      'Go',
    )
    expect(status).toBe('stopped')
    expect(ran).toHaveLength(1)
    expect(checkHistory(messages)).toEqual([])
  })
})

describe('a model that runs the loop itself, and reports', () => {
  const reporting: Model = {
    id: 'reporting',
    loop: 'observe',
    async *stream() {
      yield { type: 'text', text: 'I look.' }
      yield { type: 'call', id: 'a', name: 'theirs', args: { n: 1 } }
      yield { type: 'call', id: 'b', name: 'theirs', args: { n: 2 } }
      yield { type: 'result', id: 'b', name: 'theirs', status: 'error', value: 'broke' }
      yield { type: 'result', id: 'a', name: 'theirs', status: 'ok', value: 'found' }
      yield { type: 'text', text: 'Found it.' }
    },
  }

  test('what it did lands in the tree in call order; only after hooks run for its tools', async () => {
    const hooks: string[] = []
    const watch = middleware({
      name: 'watch',
      beforeTools: () => void hooks.push('beforeTools'),
      beforeTool: () => void hooks.push('beforeTool'),
      wrapTool: (_ctx, next) => next(),
      afterTool: ctx => void hooks.push(`afterTool ${ctx.call.id} ${ctx.result.status}`),
      afterTools: ctx => void hooks.push(`afterTools ${ctx.results.length}`),
    })
    const chat = createAgent({ model: reporting, use: [watch] }).conversation()
    expect(await chat.send('Go')).toMatchObject({ status: 'completed', text: 'Found it.', steps: 2 })
    expect(hooks).toEqual(['afterTool a ok', 'afterTool b error', 'afterTools 2'])
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
    expect(checkHistory(chat.messages)).toEqual([])
  })

  test.each(['beforeTool', 'beforeTools'])('an agent with a guard at %s refuses it', async hook => {
    const guard = middleware({ name: 'approval', guard: true, [hook]: () => {} } as Parameters<typeof middleware>[0])
    const { status, error } = await createAgent({ model: reporting, use: [guard] }).send('Go').settled
    expect(status).toBe('failed')
    expect(error).toMatchObject({ code: 'model.unguarded' })
    expect(String(error)).toContain('approval')
  })
})

test('a provider that ran a call itself inside one reply: nothing is left for us to run', async () => {
  const model = scriptedModel([
    {
      chunks: [
        { type: 'call', id: 's', name: 'web_search', args: {} },
        { type: 'result', id: 's', name: 'web_search', status: 'ok', value: ['a'] },
        { type: 'text', text: 'Here.' },
      ],
    },
  ])
  const chat = createAgent({ model }).conversation()
  expect(await chat.send('Go')).toMatchObject({ text: 'Here.', steps: 1 })
  expect(chat.messages).toHaveLength(2)
  expect(checkHistory(chat.messages)).toEqual([])
})

describe('a model that asks for tools oddly', () => {
  const asking = (ask: (run: NonNullable<StreamOptions['runTools']>) => Promise<unknown>, got: unknown[]): Model => ({
    id: 'asking',
    loop: 'intercept',
    async *stream(_prompt, { runTools }) {
      got.push(await ask(runTools as NonNullable<typeof runTools>))
      yield { type: 'text', text: 'Done.' }
    },
  })
  const call = (id: string) => [{ id, name: 'look', args: { id } }]

  test('for none gets none, and goes on', async () => {
    const got: unknown[] = []
    const { text } = await createAgent({ model: asking(run => run([]), got), tools: [look] }).send('Go.')
    expect({ text, got }).toEqual({ text: 'Done.', got: [{ results: [], interjections: [] }] })
  })

  test('several times at once gets one message, whose calls run side by side', async () => {
    const got: unknown[] = []
    let running = 0
    let most = 0
    const clock = virtualClock()
    const slow = tool({
      name: 'look',
      async run(_args, ctx) {
        most = Math.max(most, ++running)
        await new Promise<void>(resolve => clock.after(10, resolve))
        running--
        return ctx.call.id
      },
    })
    const all = (run: NonNullable<StreamOptions['runTools']>) =>
      Promise.all([
        run(call('a')),
        Promise.resolve().then(() => run([...call('b'), ...call('c')])),
        (async () => {
          await undefined
          await undefined
          return run(call('d'))
        })(),
      ])
    const turn = createAgent({ model: asking(all, got), tools: [slow], clock }).send('Go.')
    await clock.advance(10)
    const { text, messages } = await turn
    expect({ text, most }).toEqual({ text: 'Done.', most: 4 })
    const made = messages.map(({ content }) => content.flatMap(part => (part.type === 'call' ? part.id : [])).join(''))
    expect(made.filter(Boolean)).toEqual(['abcd'])
    const value = (...ids: string[]) => ({ results: ids.map(id => ({ status: 'ok', value: id })) })
    expect(got).toMatchObject([[value('a'), value('b', 'c'), value('d')]])
  })

  test('while a batch runs gets the next one', async () => {
    const got: unknown[] = []
    const clock = virtualClock()
    const slow = tool({ name: 'look', run: () => new Promise(resolve => clock.after(10, () => resolve('seen'))) })
    const later = (run: NonNullable<StreamOptions['runTools']>) =>
      Promise.all([run(call('a')), new Promise<void>(resolve => clock.after(5, resolve)).then(() => run(call('b')))])
    const turn = createAgent({ model: asking(later, got), tools: [slow], clock }).send('Go.')
    await clock.advance(30)
    const { text, messages } = await turn
    expect(text).toBe('Done.')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'])
    expect(got).toMatchObject([[{ results: [{ status: 'ok' }] }, { results: [{ status: 'ok' }] }]])
  })

  test('several times at once is told what a person said meanwhile once', async () => {
    const got: unknown[] = []
    const says = (id: string, say?: string) => [{ id, name: 'look', args: say ? { say } : {} }]
    const both = (run: NonNullable<StreamOptions['runTools']>) => Promise.all([run(says('a', 'Stop!')), run(says('b'))])
    await createAgent({ model: asking(both, got), tools: [look] }).send('Go.')
    expect(got).toMatchObject([[{ interjections: [] }, { interjections: [{ content: [{ text: 'Stop!' }] }] }]])
  })

  test('several times at once is refused every one of them by an interrupt', async () => {
    const got: unknown[] = []
    const clock = virtualClock()
    const slow = tool({ name: 'look', run: () => new Promise(() => {}) })
    const both = (run: NonNullable<StreamOptions['runTools']>) =>
      Promise.allSettled([run(call('a')), run(call('b'))]).then(settled => void got.push(settled))
    const turn = createAgent({ model: asking(both, []), tools: [slow], clock }).send('Go.')
    await clock.advance(10)
    turn.interrupt()
    const { messages } = await turn
    checkHistory(messages)
    await clock.advance(10)
    const refused = { status: 'rejected', reason: { code: 'turn.ended' } }
    expect(got).toMatchObject([[refused, refused]])
  })
})
