import { afterEach, expect, test, vi } from 'vitest'
import { paintPort } from './paint-port.ts'

afterEach(() => vi.unstubAllGlobals())

test('one worker paints for all blocks, and each hears its own answers until it is gone', () => {
  let answer: (event: { data: unknown }) => void = () => {}
  const postMessage = vi.fn()
  const started = vi.fn()
  class FakeWorker {
    postMessage = postMessage
    constructor() {
      started()
    }
    addEventListener(_: string, listener: typeof answer) {
      answer = listener
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  const port = paintPort()
  expect(paintPort()).toBe(port)
  expect(started).toHaveBeenCalledOnce()
  const heard: unknown[] = []
  const stop = port.listen(1, painted => heard.push(painted))
  port.send({ block: 1, grammar: 'ts', from: 0, chunks: ['a'] })
  expect(postMessage).toHaveBeenCalledOnce()
  for (const block of [1, 2]) answer({ data: { block, from: 0, painted: [] } })
  stop()
  answer({ data: { block: 1, from: 1, painted: [] } })
  expect(heard).toEqual([{ block: 1, from: 0, painted: [] }])
})
