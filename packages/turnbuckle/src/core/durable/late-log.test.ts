import { expect, test } from 'vitest'
import { lateLog } from './late-log.ts'
import type { Log, LogRecord } from './log-port.ts'

const record = (type: string): LogRecord => ({ seq: undefined, turn: 't', type, body: {} })

test('records that come before the log is there go to it in order, and the barrier behind them', async () => {
  const seen: unknown[] = []
  const log: Log = {
    append: kept => seen.push(kept?.type),
    barrier: async () => void seen.push('barrier'),
    read: () => ({ status: 'unchanged' }) as never,
    release: async () => void seen.push('release'),
  }
  let answer: (log: Log) => void = () => {}
  const late = lateLog(
    new Promise(resolve => {
      answer = resolve
    }),
  )
  late.append(record('one'))
  late.append(record('two'))
  const written = late.barrier()
  expect(seen).toEqual([])
  answer(log)
  await written
  late.append(record('three'))
  expect(seen).toEqual(['one', 'two', 'barrier', 'three'])
  expect(await late.read('news')).toEqual({ status: 'unchanged' })
})

test('a store that does not open refuses what waits for it', async () => {
  const late = lateLog(Promise.reject(new Error('no database')))
  late.append(record('one'))
  await expect(late.barrier()).rejects.toThrow('no database')
  await expect(late.read('news')).rejects.toThrow('no database')
})
