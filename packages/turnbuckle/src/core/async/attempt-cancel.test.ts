import { createAgent, type Model, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { timed } from '../../../test/support/timed.ts'
import { AttemptCancel, cancelBy } from './attempt-cancel.ts'

test('the signal given to next ends a model that does not listen, and its error is the stage’s', async () => {
  const clock = virtualClock()
  const deaf: Model = {
    id: 'deaf',
    async *stream() {
      yield { type: 'text', text: 'par' }
      await new Promise<void>(resolve => clock.after(1000, resolve))
      yield { type: 'text', text: 'tial' }
    },
  }
  const turn = createAgent({ model: deaf, clock, use: [timed('model', 50)] }).send('go')
  await clock.advance(2000)
  const result = await turn.settled
  expect(result).toMatchObject({ status: 'failed', reason: 'too late', by: 'model', text: 'par' })
  expect(clock.timers).toBe(0)
})

test('the signal given to next reaches the tool and gives it the result timeout', async () => {
  const clock = virtualClock()
  let aborted = false
  const slow = tool({
    name: 'echo',
    run: (_args, ctx) =>
      new Promise(() => {
        ctx.signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  })
  const model = scriptedModel([{ calls: [{ name: 'echo' }] }, 'done'])
  const turn = createAgent({ model, tools: [slow], clock, use: [timed('tool', 50)] }).send('go')
  await clock.advance(60)
  const { status, messages } = await turn
  expect([status, aborted]).toEqual(['completed', true])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'timeout', value: 'too late' })
})

describe('AttemptCancel', () => {
  test('the first end counts, and each listener hears it once', () => {
    const cancel = new AttemptCancel()
    const heard: unknown[] = []
    cancel.on(reason => heard.push(reason))
    cancel.on(reason => heard.push(reason))()
    cancel.end('late')
    cancel.end('again')
    expect([cancel.ended, cancel.reason, heard]).toEqual([true, 'late', ['late']])
  })

  test('who listens after the end hears it at once', () => {
    const cancel = new AttemptCancel()
    cancel.end('late')
    const heard: unknown[] = []
    cancel.on(reason => heard.push(reason))
    expect(heard).toEqual(['late'])
  })

  test('a race gives the value, or rejects with the reason of the end', async () => {
    const cancel = new AttemptCancel()
    expect(await cancel.race(Promise.resolve(1))).toBe(1)
    await expect(cancel.race(Promise.reject(new Error('off')))).rejects.toThrow('off')
    const stuck = cancel.race(new Promise(() => {}))
    cancel.end('late')
    await expect(stuck).rejects.toBe('late')
  })

  test('its signal is aborted at the end and with the turn', () => {
    const turn = new AbortController()
    const [first, second] = [new AttemptCancel(), new AttemptCancel()]
    const signals = [first.signalWith(turn.signal), second.signalWith(turn.signal)]
    first.end('late')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    turn.abort('over')
    expect(signals.map(({ reason }) => reason)).toEqual(['late', 'over'])
  })

  test('a limit, the signal given with it, and the cancel around it end the attempt; after off none does', () => {
    const ends = (
      act: (outer: AttemptCancel, signal: AbortController, limit: (reason: unknown) => void) => void,
      off = false,
    ) => {
      const outer = new AttemptCancel()
      const controller = new AbortController()
      let limit: (reason: unknown) => void = () => {}
      const until = (end: (reason: unknown) => void) => {
        limit = end
        return () => {
          limit = () => {}
        }
      }
      const made = cancelBy({ signal: controller.signal, until }, outer)
      if (off) made.off()
      act(outer, controller, reason => limit(reason))
      return made.cancel.reason
    }
    const acts: Parameters<typeof ends>[0][] = [
      outer => outer.end('outer'),
      (_outer, controller) => controller.abort('signal'),
      (_outer, _controller, limit) => limit('limit'),
    ]
    expect(acts.map(act => ends(act))).toEqual(['outer', 'signal', 'limit'])
    expect(acts.map(act => ends(act, true))).toEqual([undefined, undefined, undefined])
  })
})
