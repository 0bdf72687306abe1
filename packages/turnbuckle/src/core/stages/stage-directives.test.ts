import { again, createAgent, type Directive, finish, goto, pipeline, rewind, stage, stop } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

/** A turn with a stage of its own in that place, which returns the directive once. */
async function steered(where: 'before' | 'after', at: string, directive: Directive) {
  let ran = false
  const own = stage({
    name: 'own',
    run() {
      if (ran) return
      ran = true
      return directive as never
    },
  })
  const agent = createAgent({ model: scriptedModel(['one', 'two']), pipeline: pipeline()[where](at, own) })
  const { status, reason, text } = await agent.send('x').settled
  return { status, reason, text }
}

test('a stage behind the steps ends the turn as it says', async () => {
  expect(await steered('after', 'step', stop('s', { say: 'S' }))).toEqual({ status: 'stopped', reason: 's', text: 'S' })
  expect(await steered('after', 'step', finish('f'))).toEqual({ status: 'completed', reason: 'f', text: 'one' })
})

test.each([again('more'), rewind(0, 'R'), goto('model')])('behind the steps $type is refused', async directive => {
  const reason = expect.stringMatching(/The steps are over/)
  expect(await steered('after', 'step', directive)).toMatchObject({ status: 'failed', reason })
})

test.each([
  { at: 'step', directive: rewind(0, 'R') },
  { at: 'step', directive: goto('decide') },
  { at: 'input', directive: rewind(0, 'R') },
  { at: 'input', directive: goto('decide') },
])('before $at $directive.type is refused, and not taken for an empty answer', async ({ at, directive }) => {
  const reason = expect.stringMatching(/No step has begun/)
  expect(await steered('before', at, directive)).toMatchObject({ status: 'failed', reason })
})
