import { expect, test } from 'vitest'
import { asked, chatting, prompt, running, say } from './chatting.ts'
import { FakeProvider, type ProviderCall } from './fake-provider.ts'
import { run } from './run-program.ts'
import type { Terminal } from './terminal.ts'

const chat = chatting()

/** Ends the program without a word to it; gives what was on the screen. */
async function kill(terminal: Terminal, signal = 'SIGKILL'): Promise<string> {
  terminal.kill(signal)
  await terminal.exit
  return terminal.text()
}

const model = ['--model', 'compatible/fake']

/** A turn of which half a reply has come. */
async function sayHalf(terminal: Terminal, provider: FakeProvider): Promise<void> {
  terminal.type('hello\r')
  ;(await provider.next()).say('Half a reply')
  await terminal.see('Half a reply')
}
function answerWith(call: ProviderCall, text: string): void {
  call.say(text)
  call.end()
}

test('a reply that was being written is shown again as far as it was seen', async () => {
  const first = await chat.start()
  first.type('count to 3000\r')
  await first.see(/\b40\b/)
  const seen = await kill(first)
  const second = chat.open(['--continue'])
  const again = await asked(second, 'The last turn did not end')
  expect(again).toMatch(/❯ count to 3000[\s\S]*\b2\b[\s\S]*… cut off/)
  const last = (screen: string) =>
    Math.max(...(screen.match(/\b\d+(?=[,\s])/g) ?? []).map(Number).filter(n => n < 3000))
  expect(last(again.slice(0, again.indexOf('… cut off')))).toBeGreaterThanOrEqual(last(seen))
  second.type('n')
  await second.see('Left as it is.')
  second.type('\x0c')
  await second.see(/count to 3000[\s\S]*… cut off[\s\S]*Left as it is/)
  await say(second, 'what is 4+4', '4+4 is 8.')
  second.type('\x04')
  await second.exit
  const third = await chat.start(['--continue'])
  expect(third.text()).toMatch(/4\+4 is 8\.[\s\S]*An earlier turn did not end\. \/continue goes on with it\./)
})

test('a call that ran is shown cut off, what waits for after the turn still waits', async () => {
  const first = await chat.start()
  first.type('what is 1+1; wait 60 seconds\r')
  await first.see(running('wait'))
  first.type('what is 3+3\x1b\r')
  await first.see('⧗ what is 3+3')
  await kill(first)
  const second = chat.open(['--continue'])
  await second.see(/✓ calculate[\s\S]*◼ wait[\s\S]*The last turn did not end[\s\S]*⧗ what is 3\+3/)
})

test.each(['SIGKILL', 'SIGHUP'])('after %s in a turn --continue offers to go on', async signal => {
  using provider = new FakeProvider()
  const size = { env: await provider.listen() }
  const first = await chat.start(model, size)
  await sayHalf(first, provider)
  await kill(first, signal)
  const second = chat.open([...model, '--continue'], size)
  await asked(second, 'The last turn did not end')
  second.type('y')
  answerWith(await provider.next(), 'Again, and whole.')
  await second.see(/Again, and whole\.[\s\S]*Say something/)
  second.type('and now?\r')
  answerWith(await provider.next(), 'Done.')
  await second.see(/Done\.[\s\S]*Say something/)
  expect((await run(chat.place, ['list'])).out.trim().split('\n')).toHaveLength(1)
})

test.each([
  { how: 'at once', keys: ['y'] },
  { how: 'later', keys: ['n', '/continue\r'] },
])('a turn that is gone on with $how is shown once, in order, but for the reply that was cut off', async ({ keys }) => {
  chat.place.put('long.txt', Array.from({ length: 60 }, (_, i) => `w${i}`).join(' '))
  const first = await chat.start()
  first.type('read long.txt\r')
  await first.see('long.txt says')
  await kill(first)
  const second = chat.open(['--continue'])
  await asked(second, 'The last turn did not end')
  for (const key of keys) {
    second.type(key)
    if (key === 'n') await second.see('Left as it is.')
  }
  await second.see(/w59\s+❯\s+Say something/)
  const screen = second.text()
  expect(screen.match(/❯ read long|I will use|✓ read_file|long\.txt says|… (interrupted|cut off)/g)).toEqual([
    '❯ read long',
    'I will use',
    '✓ read_file',
    'long.txt says',
    // The scrollback is never erased: the reply that was cut off stays, marked, and is asked for again.
    '… cut off',
    'long.txt says',
  ])
})

test('in a pipe it is said, and /continue goes on with it', async () => {
  using provider = new FakeProvider()
  const env = await provider.listen()
  const first = await chat.start(model, { env })
  await sayHalf(first, provider)
  await kill(first)
  const input = '/help\n/continue\nand now?\n/continue\n'
  const running = run(chat.place, ['chat', ...model, '--continue'], { input, env })
  answerWith(await provider.next(), 'Again, and whole.')
  answerWith(await provider.next(), 'Done.')
  const { out, err, code } = await running
  expect(err.trim().split('\n')).toEqual([
    'The last turn did not end. /continue goes on with it.',
    'There is no /help in a pipe, only /continue and /quit.',
    'There is nothing to go on with.',
  ])
  expect(out).toMatch(/Again, and whole\.[\s\S]*Done\./)
  expect(code).toBe(0)
})

test.each([
  { key: 'y', ends: 'A person says that it happened' },
  { key: 's', ends: 'Stopped by person: nobody knows whether shell happened' },
])('whether a command happened is asked, and answered with $key', async ({ key, ends }) => {
  const first = await chat.start()
  first.type('run sleep 3\r')
  await asked(first, 'May shell run?')
  first.type('y')
  await first.see(running('shell'))
  await kill(first)
  const second = chat.open(['--continue'])
  await asked(second, 'The last turn did not end')
  second.type('y')
  await asked(second, /\? shell sleep 3[\s\S]*Did shell happen\?[\s\S]*\$ sleep 3[\s\S]*r it did not: run it now/)
  second.type('\r')
  await second.see('Enter is no answer here')
  second.type(key)
  await second.see(ends)
  await second.see(prompt)
})
