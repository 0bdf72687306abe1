import {
  block,
  createAgent,
  type Message,
  type Middleware,
  type Model,
  middleware,
  type ResultPart,
  tool,
} from 'turnbuckle'
import { approval, pii } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { TurnCalls } from './turn-calls.ts'

const asked = { name: 'send', args: { to: 'everyone' } }
const args = { to: 'joe' }
const edit = (more: object = {}) => approval({ answers: () => ({ decision: 'allow', args, ...more }) })
const send = tool({ name: 'send', run: ({ to }) => `sent to ${to}` })
const resultsOf = (messages: readonly Message[] = []) =>
  messages.flatMap(({ content }) => content.filter((part): part is ResultPart => part.type === 'result'))
const callsOf = (messages: readonly Message[] = []) =>
  messages.flatMap(({ content }) => content.filter(part => part.type === 'call'))

describe('the model is told that a person has changed its call', () => {
  test.each<{ name: string; use: readonly Middleware[]; result: object }>([
    { name: 'a changed call', use: [edit()], result: { status: 'ok', value: 'sent to joe', args } },
    {
      name: 'one that a guard forbids',
      use: [
        edit(),
        middleware({
          name: 'no',
          guard: true,
          beforeTool: ({ call }) => (call.args === args ? block('no') : undefined),
        }),
      ],
      result: { status: 'blocked', value: 'no', args },
    },
    {
      name: 'one with personal data',
      use: [edit({ args: { to: 'joe@example.com' } }), ...pii()],
      result: { value: 'sent to [email]', args: { to: '[email]' } },
    },
  ])('$name', async ({ use, result }) => {
    const model = scriptedModel([{ calls: [asked] }, 'done'])
    const { messages } = await createAgent({ model, tools: [send], use }).send('go')
    expect(resultsOf(model.prompts[1]?.messages)).toMatchObject([result])
    expect(callsOf(messages)).toMatchObject([asked])
    expect(checkHistory(messages)).toEqual([])
  })

  test.each([
    { name: 'one that nobody changed', use: [approval({ answers: () => 'allow' })] },
    {
      name: 'one that a hook changed',
      use: [
        middleware({
          name: 'rewrite',
          beforeTool: ctx => {
            ctx.call = { ...ctx.call, args }
          },
        }),
      ],
    },
  ])('not of $name', async ({ use }) => {
    const model = scriptedModel([{ calls: [asked] }, 'done'])
    await createAgent({ model, tools: [send], use }).send('go')
    expect(resultsOf(model.prompts[1]?.messages)[0]).not.toHaveProperty('args')
  })

  test('one that runs the loop itself gets it with the result', async () => {
    const got: unknown[] = []
    const model: Model = {
      id: 'managed',
      loop: 'intercept',
      async *stream(_prompt, { runTools }) {
        got.push(...((await runTools?.([{ id: '1', ...asked }]))?.results ?? []))
        yield { type: 'text', text: 'ok' }
      },
    }
    await createAgent({ model, tools: [send], use: [edit()] }).send('go')
    expect(got).toEqual([{ status: 'ok', value: 'sent to joe', args }])
  })
})

describe('after a crash it is told as well', () => {
  test.each(['in the tool', 'behind the tool, before its result is recorded'])('%s', async where => {
    const store = memoryStore()
    const never = () => new Promise<never>(() => {})
    const stuck = tool({ name: 'send', idempotent: true, run: where === 'in the tool' ? never : () => 'sent to joe' })
    const hang = middleware({
      name: 'hang',
      wrapAppend: (ctx, next) => (ctx.message.role === 'tool' ? never() : next()),
    })
    const use = where === 'in the tool' ? [edit()] : [edit(), hang]
    const first = createAgent({ model: scriptedModel([{ calls: [asked] }]), tools: [stuck], store, use })
    const until = where === 'in the tool' ? 'tool.executing' : 'tool.completed'
    for await (const event of first.conversation('c').send('go')) if (event.type === until) break
    await new Promise(setImmediate)
    await first.close()
    const model = scriptedModel(['done'])
    const again = tool({ name: 'send', idempotent: true, run: ({ to }) => `sent to ${to}` })
    const idle = middleware({ name: 'hang' })
    const second = createAgent({ model, tools: [again], store, use: [approval(), idle] })
    expect(await second.resume('c')).toMatchObject({ status: 'completed', text: 'done' })
    expect(resultsOf(model.prompts[0]?.messages)).toMatchObject([{ status: 'ok', value: 'sent to joe', args }])
  })
})

describe('TurnCalls', () => {
  test('the first result of a call is told from a later one, which takes its place', () => {
    const calls = new TurnCalls()
    const later = { status: 'ok', value: 2 } as const
    expect([calls.finish('c1', { status: 'ok', value: 1 }), calls.finish('c1', later)]).toEqual([true, false])
    expect([calls.finished('c1'), calls.finished('c2')]).toEqual([later, undefined])
  })

  test('a replaced result is taken once', () => {
    const calls = new TurnCalls()
    expect([calls.hasReplaced, calls.takeReplaced('c1')]).toEqual([false, false])
    calls.replace('c1')
    expect([calls.hasReplaced, calls.takeReplaced('c1'), calls.takeReplaced('c1')]).toEqual([true, true, false])
  })

  test('a renamed call is known to the provider by the id it gave', () => {
    const calls = new TurnCalls()
    calls.rename("c1'", 'c1')
    expect([calls.givenId("c1'"), calls.givenId('c2')]).toEqual(['c1', 'c2'])
  })
})
