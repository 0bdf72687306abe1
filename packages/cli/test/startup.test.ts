import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Place, program, Terminal } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

const reporter = fileURLToPath(new URL('report-cpu.cjs', import.meta.url))
const prompt = 'Say something, or /help'

/** Processor time, which the rest of the machine does not lengthen. */
async function processorTime(start: (env: Record<string, string>) => Promise<unknown>): Promise<number> {
  const report = join(place.home, 'cpu')
  await start({ CPU_REPORT: report, NODE_OPTIONS: `--require ${reporter}` })
  return Number(readFileSync(report, 'utf8'))
}
const ends = (...args: readonly string[]) =>
  processorTime(
    env =>
      new Promise(resolve =>
        spawn(process.execPath, args, { env: { ...place.env, ...env }, stdio: 'ignore' }).on('close', resolve),
      ),
  )
const asks = () =>
  processorTime(async env => {
    using chat = new Terminal(place, ['chat'], { env: { ...env, CPU_UNTIL: prompt } })
    await chat.see(prompt)
  })

test('the program starts in at most 3 times the time of Node, the chat asks within 6 times', async () => {
  const best = { node: Infinity, version: Infinity, chat: Infinity }
  for (let i = 0; i < 5; i++) {
    best.node = Math.min(best.node, await ends('-e', '0'))
    best.version = Math.min(best.version, await ends(program, '--version'))
    best.chat = Math.min(best.chat, await asks())
  }
  expect(best.version / best.node).toBeLessThanOrEqual(3)
  expect(best.chat / best.node).toBeLessThan(6)
})
