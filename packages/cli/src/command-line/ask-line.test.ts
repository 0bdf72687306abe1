import { expect, test } from 'vitest'
import { chatting } from '../../test/chatting.ts'
import { program, Terminal } from '../../test/terminal.ts'

const chat = chatting()

/** Says on the terminal when its echo is switched, in the order of what is printed. */
const tellEcho = `data:text/javascript,${encodeURIComponent(`
  import { ReadStream } from 'node:tty'
  const { setRawMode } = ReadStream.prototype
  ReadStream.prototype.setRawMode = function (raw) {
    setRawMode.call(this, raw)
    process.stdout.write(raw ? '<echo off>' : '<echo on>')
    return this
  }
`)}`

test('echo is off before the question for a key is shown, and stays off until the line is read', async () => {
  const args = ['--import', tellEcho, program, 'setup']
  using terminal = new Terminal(chat.place, args, { shell: process.execPath })
  await terminal.see('Number or name')
  terminal.type('1\r')
  await terminal.see('(not shown):')
  terminal.type('sk-secret\r')
  await terminal.see('Model')
  expect(terminal.raw).toMatch(/<echo off>[^<]*\(not shown\): \r?\n<echo on>/)
  expect(terminal.raw).not.toContain('sk-secret')
})

test('Ctrl-C at a question ends the command', async () => {
  using terminal = new Terminal(chat.place, ['setup'])
  await terminal.see('Number or name')
  terminal.type('\x03')
  await terminal.see('Nothing was changed.')
  expect(await terminal.exit).toBe(1)
})
