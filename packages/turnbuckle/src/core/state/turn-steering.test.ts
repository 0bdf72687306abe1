import { again, createAgent, type Directive, fail, finish, goto, middleware, rewind, stop } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const give: Record<string, () => Directive | undefined> = {
  nothing: () => undefined,
  fail: () => fail(new Error('no')),
  stop: () => stop('no'),
  rewind: () => rewind(0),
  goto: () => goto('model'),
  again: () => again('More.'),
  finish: () => finish('enough'),
}
const names = Object.keys(give)
const order = ['fail', 'stop', 'rewind', 'goto', 'again', 'finish']

test('four hooks, each with any directive: the agent does what the resolver says, and explains it', async () => {
  const four = names.flatMap(a => names.flatMap(b => names.flatMap(c => names.map(d => [a, b, c, d]))))
  const failures: string[] = []
  for (const list of four) {
    const use = list.map((name, i) =>
      middleware({
        name: `m${i}`,
        afterDecide: ctx => (ctx.step === 0 && ctx.turn.steps === 1 ? (give[name]?.() as never) : undefined),
      }),
    )
    const turn = createAgent({ model: scriptedModel(['One', 'Two']), use }).send('Go')
    const { status, by } = await turn.settled
    // After hooks run in reverse; within a rank the first wins in call order.
    const called = list.map((name, i) => ({ name, by: `m${i}` })).toReversed()
    const winner = order.map(name => called.find(given => given.name === name)).find(Boolean)
    const won = turn.explain().filter(decision => decision.won)
    const ends = { fail: 'failed', stop: 'stopped' }[winner?.name ?? ''] ?? 'completed'
    const steps = ['rewind', 'goto', 'again'].includes(winner?.name ?? '') ? 2 : 1
    const author = ['fail', 'stop', 'finish'].includes(winner?.name ?? '') ? winner?.by : 'model'
    const asSaid =
      status === ends &&
      by === author &&
      turn.steps === steps &&
      turn.explain().length === list.filter(name => name !== 'nothing').length &&
      won.length === (winner ? 1 : 0) &&
      won[0]?.by === winner?.by &&
      (won[0]?.directive as string | undefined) === winner?.name
    if (!asSaid) failures.push(`${list}: ${status} by ${by} after ${turn.steps}, won ${JSON.stringify(won)}`)
  }
  expect(four).toHaveLength(2401)
  expect(failures).toEqual([])
})
