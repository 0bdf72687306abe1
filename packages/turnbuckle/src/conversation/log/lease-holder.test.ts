import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isAlive, newHolder } from './lease-holder.ts'

/** The same machine's holder with another process. */
const holderOf = (pid: number) => newHolder().replace(/\/\d+\//, `/${pid}/`)

test('two stores of one process are two holders', () => {
  expect(newHolder()).not.toBe(newHolder())
})

test('a holder whose process has ended is dead', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(isAlive(holderOf(pid))).toBe(false)
})

test('this process is alive, and so is whoever runs on another machine', () => {
  expect(isAlive(newHolder())).toBe(true)
  expect(isAlive('elsewhere/999999999/x')).toBe(true)
})
