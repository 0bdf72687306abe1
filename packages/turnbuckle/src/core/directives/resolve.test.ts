import { again, createAgent, fail, finish, goto, middleware, rewind, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Decision, Directive, type DirectiveType, type NotedDirective } from './directives.ts'
import { type Outcome, resolve } from './resolve.ts'

const types: readonly DirectiveType[] = [
  ...(['skip', 'block', 'replace', 'stop', 'again', 'finish', 'goto', 'rewind', 'fail'] as const),
]
/** The order of the resolver in docs/lifecycle.md, written down once more. */
const order: readonly DirectiveType[] = ['fail', 'stop', 'rewind', 'goto', 'again', 'finish']
const note = (type: DirectiveType, i: number): NotedDirective => {
  const decision: Decision = { directive: type, by: `m${i}`, at: 'afterDecide', step: 0, won: false }
  return Object.freeze({ directive: Object.freeze(new Directive(type)), decision: Object.freeze(decision) })
}
function* lists(length: number): Generator<DirectiveType[]> {
  if (length === 0) return yield []
  for (const rest of lists(length - 1)) for (const type of types) yield [...rest, type]
}
function expected(
  noted: readonly NotedDirective[],
  stepCloses: boolean,
  goesOn: boolean,
): Outcome['type'] | NotedDirective {
  for (const type of stepCloses ? order : order.slice(0, 4)) {
    const first = noted.find(({ directive }) => directive.type === type)
    if (first) return first
  }
  return goesOn ? 'continue' : 'done'
}
const situations = [true, false].flatMap(stepCloses => [true, false].map(goesOn => ({ stepCloses, goesOn })))
const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

test('of up to four directives the highest rank wins, within a rank the first, and nothing is changed', () => {
  const all = [0, 1, 2, 3, 4].flatMap(length => [...lists(length)])
  const wrong = all.flatMap(list => {
    const noted = Object.freeze(list.map(note))
    return situations
      .map(({ stepCloses, goesOn }) => ({
        outcome: resolve(Object.freeze({ interrupted: false, noted, stepCloses, goesOn })),
        wanted: expected(noted, stepCloses, goesOn),
      }))
      .filter(({ outcome, wanted }) => (outcome.type === 'directive' ? outcome.noted : outcome.type) !== wanted)
      .map(({ outcome }) => ({ list, outcome }))
  })
  expect(all).toHaveLength(1 + 9 + 81 + 729 + 6561)
  expect(wrong).toEqual([])
})

test.each(types)('an interrupt is above %s', type => {
  const noted = [note(type, 0)]
  expect(resolve({ interrupted: true, noted, stepCloses: true, goesOn: true })).toEqual({ type: 'interrupted' })
})

describe('goesOn tells what would happen', () => {
  test.each([
    { directive: again('more'), goesOn: true },
    { directive: goto('model'), goesOn: true },
    { directive: rewind(0), goesOn: true },
    { directive: finish('enough'), goesOn: false },
    { directive: stop('no'), goesOn: false },
    { directive: fail(new Error('no')), goesOn: false },
    { directive: undefined, goesOn: false },
  ])('after $directive.type: $goesOn', async ({ directive, goesOn }) => {
    const seen: boolean[] = []
    // After hooks run in reverse: the one that stands behind has spoken already.
    const use = [
      middleware({ name: 'first', afterDecide: ctx => void (ctx.step === 0 && seen.push(ctx.goesOn)) }),
      middleware({ name: 'behind', afterDecide: ctx => (ctx.step === 0 ? directive : undefined) }),
    ]
    await createAgent({ model: scriptedModel(['One', 'Two']), use }).send('Go').settled
    expect(seen[0]).toBe(goesOn)
  })

  test('while the model asks for tools, and while somebody has said something', async () => {
    const seen: boolean[] = []
    const watch = middleware({
      name: 'watch',
      beforeDecide: ctx => void seen.push(ctx.goesOn),
      afterStep: ctx => void seen.push(ctx.goesOn),
    })
    await createAgent({ model: looks(), tools: [look], use: [watch] }).send('Go')
    expect(seen).toEqual([true, true, false, false])
  })
})
