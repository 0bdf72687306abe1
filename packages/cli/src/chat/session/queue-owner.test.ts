import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isAlive, nameQueueOwner } from './queue-owner.ts'

test('two chats of one process have names of their own, and both are alive', () => {
  const names = [nameQueueOwner(), nameQueueOwner()]
  expect([new Set(names).size, ...names.map(isAlive)]).toEqual([2, true, true])
})

test('a process of this machine is alive until it ends', () => {
  const [machine = ''] = nameQueueOwner().split('/')
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  expect([`${machine}/${process.ppid}/x`, `${machine}/${pid}/x`].map(isAlive)).toEqual([true, false])
})

test('a chat that had the id of this process before it, one of another machine, and a name without any are gone', () => {
  const [machine = ''] = nameQueueOwner().split('/')
  const names = [`${machine}/${process.pid}/x`, `elsewhere/${process.ppid}/x`, '', 'x']
  expect(names.map(isAlive)).toEqual([false, false, false, false])
})
