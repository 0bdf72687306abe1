import { createAgent, textOf } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { displayBuffer } from './display-buffer.ts'
import { pii } from './pii.ts'

const chunks = ['One ', 'two ', 'three '].map(text => ({ type: 'text' as const, text }))

/** A screen that needs a second for each piece. */
function screen(clock: ReturnType<typeof virtualClock>) {
  const seen: string[] = []
  return {
    seen,
    show: (text: string, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const cancel = clock.after(1000, () => {
          seen.push(text)
          resolve()
        })
        signal.addEventListener('abort', () => {
          cancel()
          reject(signal.reason)
        })
      }),
  }
}

test.each([
  { after: 500, shown: '' },
  { after: 1500, shown: 'One ' },
  { after: 2500, shown: 'One two ' },
])('after an interrupt at $after ms exactly what was shown is kept', async ({ after, shown }) => {
  const clock = virtualClock()
  const display = screen(clock)
  const turn = createAgent({ model: scriptedModel([{ chunks }]), use: [displayBuffer({ display })], clock }).send('?')
  await clock.advance(after)
  turn.interrupt()
  const { messages, text } = await turn
  await clock.advance(10_000)
  expect(display.seen.join('')).toBe(shown)
  expect(text).toBe(shown)
  expect(textOf(messages[1])).toBe(shown)
})

test('it shows what the guards let through', async () => {
  const seen: string[] = []
  const display = { show: (text: string) => void seen.push(text) }
  const model = scriptedModel(['Mail joe@example.com now'])
  await createAgent({ model, use: [displayBuffer({ display }), pii()] }).send('?')
  expect(seen.join('')).toBe('Mail [email] now')
})

test('a display that fails ends the turn, and what it did not show is not kept', async () => {
  const display = {
    show(text: string) {
      if (text === 'two ') throw new Error('no screen')
    },
  }
  const result = await createAgent({ model: scriptedModel([{ chunks }]), use: [displayBuffer({ display })] }).send('?')
    .settled
  expect(result).toMatchObject({ status: 'failed', text: 'One ' })
})
