import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { printFile, printJson, printLine, printNote, printProgress } from './print.ts'

afterEach(() => vi.restoreAllMocks())

/** What is written to a stream while `act` runs. */
function written(stream: 'stdout' | 'stderr', act: () => void): string {
  const write = vi.spyOn(process[stream], 'write').mockReturnValue(true)
  act()
  return write.mock.calls.map(([text]) => String(text)).join('')
}

/** Makes a stream a terminal, or a pipe, for the rest of the test. */
function beTerminal(stream: 'stdout' | 'stderr', isTTY: boolean): void {
  const before = Object.getOwnPropertyDescriptor(process[stream], 'isTTY')
  Object.defineProperty(process[stream], 'isTTY', { value: isTTY, configurable: true })
  onTestFinished(() => {
    if (before) Object.defineProperty(process[stream], 'isTTY', before)
    else Reflect.deleteProperty(process[stream], 'isTTY')
  })
}

test('text of others cannot drive the terminal', () => {
  expect(written('stdout', () => printLine('a\x1b[2Jb'))).not.toContain('\x1b[2J')
  expect(written('stderr', () => printNote('a\x1b]0;title\x07b'))).not.toContain('\x1b]0')
})

test('a line of JSON loses nothing, and has no character that drives a terminal', () => {
  const value = { text: 'a\x9b2J\u202eb\x7f' }
  const line = written('stdout', () => printJson(value))
  expect(line).toBe('{"text":"a\\u009b2J\\u202eb\\u007f"}\n')
  expect(JSON.parse(line)).toEqual(value)
})

test('a file in a pipe is written byte by byte', () => {
  beTerminal('stdout', false)
  expect(written('stdout', () => printFile('\x1b[31mred'))).toBe('\x1b[31mred\n')
})

test('progress is shown to a person, and not written into a file', () => {
  beTerminal('stderr', false)
  expect(written('stderr', () => printProgress('3 turns'))).toBe('')
  beTerminal('stderr', true)
  expect(written('stderr', () => printProgress('3 turns'))).toBe('\r3 turns\x1b[K')
})
