import { expect, test } from 'vitest'
import { chatting } from '../../test/chatting.ts'
import { run } from '../../test/run-program.ts'
import { Terminal } from '../../test/terminal.ts'

const chat = chatting()

test.each([40, 80, 120, 200])('a conversation is one line of a list that fits %i columns', async cols => {
  await run(chat.place, ['run', `what is 1+1 ${'and a long title '.repeat(20)}漢字`])
  await run(chat.place, ['run', 'what is 2+2'])
  using terminal = new Terminal(chat.place, ['list'], { cols })
  expect(await terminal.exit).toBe(0)
  const lines = (await terminal.see('what is 2+2')).split('\n')
  expect(lines).toHaveLength(2)
  expect(lines.every(line => /^conv_[\w-]{8} .*what is [12]/.test(line))).toBe(true)
})

test('in a pipe a line has 80 columns', async () => {
  await run(chat.place, ['run', `what is 1+1 ${'and a long title '.repeat(20)}`])
  const { out } = await run(chat.place, ['list'])
  expect(out.trimEnd().length).toBeLessThanOrEqual(80)
})
