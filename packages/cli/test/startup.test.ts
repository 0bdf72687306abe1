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

test('the program starts in at most 3 times the time of Node, the chat asks within 6 times', async () => {
  const times = { node: Infinity, version: Infinity, chat: Infinity }
  // In turns, and the best of each: whatever else the machine does is no part of it.
  for (let i = 0; i < 7; i++) {
    times.node = Math.min(times.node, await timed(() => node('-e', '0')))
    times.version = Math.min(times.version, await timed(() => node(program, '--version')))
    times.chat = Math.min(times.chat, await timed(firstPrompt))
  }
  expect(times.version / times.node).toBeLessThanOrEqual(3)
  expect(times.chat / times.node).toBeLessThan(6)
})
