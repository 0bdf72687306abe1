import { spawn } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Place, program, Terminal } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Until it has ended. */
const node = (...args: readonly string[]) =>
  new Promise(resolve => spawn(process.execPath, args, { env: place.env, stdio: 'ignore' }).on('close', resolve))

async function firstPrompt(): Promise<void> {
  using chat = new Terminal(place, ['chat'])
  await chat.see('Say something, or /help')
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
/** By the best of each and by the middle ones: a busy machine spoils one of the two, a slow program both. */
const ratio = (times: readonly number[], to: readonly number[]): number =>
  Math.min(Math.min(...times) / Math.min(...to), median(times) / median(to))

test('the program starts in at most 3 times the time of Node, the chat asks within 6 times', async () => {
  const times = { node: [] as number[], version: [] as number[], chat: [] as number[] }
  const holds = () => ratio(times.version, times.node) <= 3 && ratio(times.chat, times.node) < 6
  // In turns. A busy machine gets more rounds.
  for (let round = 0; round < 5 || (round < 30 && !holds()); round++) {
    times.node.push(await timed(() => node('-e', '0')))
    times.version.push(await timed(() => node(program, '--version')))
    times.chat.push(await timed(firstPrompt))
  }
  expect(ratio(times.version, times.node)).toBeLessThanOrEqual(3)
  expect(ratio(times.chat, times.node)).toBeLessThan(6)
})
