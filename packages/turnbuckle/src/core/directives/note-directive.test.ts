import { again, block, createAgent, finish, middleware, replace, stop, tool } from 'turnbuckle'
import { redact } from 'turnbuckle/middleware'
import { type Commit, createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done', 'More'])

test('a directive is listed with its author, its hook, its step and its reason', async () => {
  const ends = middleware({ name: 'ends', afterDecide: ctx => (ctx.step === 1 ? finish('enough') : undefined) })
  const turn = createAgent({ model: looks(), tools: [look], use: [ends] }).send('Go')
  await turn
  expect(turn.explain()).toEqual([
    { directive: 'finish', by: 'ends', at: 'afterDecide', step: 1, reason: 'enough', won: true },
  ])
})

test('one that was given at a call is listed with the call', async () => {
  const no = middleware({ name: 'no', beforeTool: () => stop('no') })
  const turn = createAgent({ model: looks(), tools: [look], use: [no] }).send('Go')
  await turn
  expect(turn.explain()).toMatchObject([{ directive: 'stop', by: 'no', at: 'beforeTool', callId: 'c1', won: true }])
})

test('one that came before the first step is listed with step 0', async () => {
  const no = middleware({ name: 'no', beforeInput: () => stop('no') })
  const turn = createAgent({ model: looks(), use: [no] }).send('Go')
  await turn
  expect(turn.explain()).toMatchObject([{ at: 'beforeInput', step: 0 }])
})

test('a soft directive lets the other hooks of the stage and the step run, and all are listed in the order given', async () => {
  const asked: string[] = []
  const use = ['first', 'second'].map(name =>
    middleware({
      name,
      beforeTools: () => {
        asked.push(name)
        return name === 'first' ? finish('enough') : undefined
      },
      afterDecide: ctx => (ctx.step === 0 && name === 'second' ? again('More?') : undefined),
    }),
  )
  const turn = createAgent({ model: looks(), tools: [look], use }).send('Go')
  const { messages } = await turn
  expect(asked).toEqual(['first', 'second'])
  expect(messages.some(({ role }) => role === 'tool')).toBe(true)
  expect(turn.explain().map(({ directive, by, won }) => [directive, by, won])).toEqual([
    ['finish', 'first', false],
    ['again', 'second', true],
  ])
})

test('a hard directive halts the step: no further stage begins', async () => {
  const opened: string[] = []
  const watch = middleware({
    name: 'watch',
    beforeTools: () => void opened.push('tools'),
    beforeDecide: () => void opened.push('decide'),
  })
  const no = middleware({ name: 'no', afterModel: () => stop('no') })
  await createAgent({ model: looks(), tools: [look], use: [watch, no] }).send('Go')
  expect(opened).toEqual([])
})

test('a block that kept a call from running has won, also when its result is replaced', async () => {
  const no = middleware({ name: 'no', beforeTool: () => block('no') })
  const says = middleware({ name: 'says', afterTool: () => replace('sorry') })
  const turn = createAgent({ model: looks(), tools: [look], use: [no, says] }).send('Go')
  await turn
  expect(turn.explain()).toMatchObject([
    { directive: 'block', by: 'no', won: true },
    { directive: 'replace', by: 'says', won: true },
  ])
})

test('a turn that afterDecide ended has its author', async () => {
  const ends = middleware({ name: 'ends', afterDecide: () => replace(false) })
  const turn = createAgent({ model: looks(), tools: [look], use: [ends] }).send('Go')
  expect(await turn).toMatchObject({ status: 'completed', reason: 'done', by: 'ends', steps: 1 })
  expect(turn.explain()).toMatchObject([{ directive: 'replace', by: 'ends', at: 'afterDecide', won: true }])
})

test.each([
  { name: 'block', give: () => block('EMP-12 may not.') },
  { name: 'stop', give: () => stop('EMP-12 may not.') },
])('the reason of a $name is in no record of the log as it was given, checkpoints included', async ({ give }) => {
  const written: unknown[] = []
  const { driver } = memoryStore()
  const watched = new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
      return (commit: Commit) => {
        written.push(commit.records)
        return target.commit(commit)
      }
    },
  })
  const use = [redact(/EMP-\d+/, '[employee]'), middleware({ name: 'no', beforeTool: give })]
  await createAgent({ model: looks(), tools: [look], use, store: createStore(watched) }).send('Go').settled
  expect(JSON.stringify(written)).toContain('[employee] may not.')
  expect(JSON.stringify(written)).not.toContain('EMP-12')
})

test.each(['beforeTurn', 'beforeInput', 'beforeStep', 'beforeModel', 'onChunk'] as const)(
  'a block in %s is listed as that, and as won: it stops the turn',
  async hook => {
    for (const guard of [true, false]) {
      const no = middleware({ name: 'no', guard, [hook]: () => block('not here') } as Parameters<typeof middleware>[0])
      const turn = createAgent({ model: looks(), tools: [look], store: memoryStore(), use: [no] }).send('Go')
      expect(await turn).toMatchObject({ status: 'stopped', reason: 'not here', by: 'no' })
      expect(turn.explain()[0]).toMatchObject({
        directive: 'block',
        by: 'no',
        at: hook,
        reason: 'not here',
        won: true,
      })
    }
  },
)
