import { expect, test } from 'vitest'
import { asked, chatting, running, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'

const chat = chatting()

/** A terminal whose turn asks, and a second one that was opened meanwhile on the same store and sees it. */
async function two() {
  const first = await chat.start()
  await say(first, 'what is 1+1', '1+1 is 2.')
  first.type('run echo hello there\r')
  await asked(first, '$ echo hello there')
  const second = chat.open(['--continue'])
  await asked(second, /Another program works on this turn[\s\S]*\$ echo hello there[\s\S]*\? help/)
  return { first, second }
}

test('a second terminal follows the turn of the first, answers its question, and both show the same end', async () => {
  const { first, second } = await two()
  second.type('y')
  const end = /✓ shell echo hello there[\s\S]*echo hello there gave:[\s\S]*❯ Say something.*\n.*tokens/
  for (const terminal of [first, second]) {
    await terminal.seeOnScreen(end)
    expect(terminal.visible()).not.toContain('? help')
  }
  const endOf = (screen: string) => chat.steady(screen.slice(screen.indexOf('✓ shell echo')))
  expect(endOf(second.visible())).toBe(endOf(first.visible()))
})

test('an answer of the first terminal closes the question in the second', async () => {
  const { first, second } = await two()
  first.type('\x1b')
  for (const terminal of [first, second]) {
    await terminal.seeOnScreen(/⊘ shell echo hello there[\s\S]*❯ Say something/)
    expect(terminal.visible()).not.toContain('? help')
  }
})

test('what is said in the second terminal waits for the turn of the first, and is sent once', async () => {
  const first = await chat.start()
  chat.place.put('wait.sh', 'until test -e go; do sleep 0.1; done')
  const command = 'sh wait.sh'
  first.type(`run ${command}\r`)
  await asked(first, `$ ${command}`)
  first.type('y')
  await first.see(running('shell'))
  const second = chat.open(['--continue'])
  await second.see('Another program works on this turn')
  second.type('what is 3+3\r')
  await second.seeOnScreen(/what is 3\+3[\s\S]*❯/)
  chat.place.put('go', '')
  await first.see(/✓ shell sh wait[\s\S]*Say something/)
  await second.see(/✓ shell sh wait[\s\S]*❯ what is 3\+3[\s\S]*3\+3 is 6\.[\s\S]*Say something/)
  await first.see(/Another program goes on[\s\S]*❯ what is 3\+3[\s\S]*3\+3 is 6\.[\s\S]*Say something/)
  for (const terminal of [first, second]) expect(terminal.text().match(/3\+3 is 6\./g)).toHaveLength(1)
})

test('messages that wait for the conversation are shown, and are sent in order when the turn of the first terminal has ended', async () => {
  using provider = new FakeProvider()
  const size = { env: await provider.listen() }
  const model = ['--model', 'compatible/fake']
  const first = await chat.start(model, size)
  first.type('hello\r')
  const hello = await provider.next()
  hello.say('Hello.')
  hello.end({ input: 1000, output: 1000 })
  await first.see(/Hello\.[\s\S]*Say something/)
  const second = await chat.start([...model, '--continue'], size)
  first.type('one\r')
  const one = await provider.next()
  second.type('two\r')
  await second.seeOnScreen('⧗ two')
  second.type('three\r')
  await second.seeOnScreen(/⧗ two\s*\n.*⧗ three/)
  one.say('One.')
  one.end({ input: 1000, output: 1000 })
  const two = await provider.next()
  expect(two.body.messages.at(-1)?.content).toBe('two')
  two.say('Two.')
  two.end({ input: 1000, output: 1000 })
  const three = await provider.next()
  expect(three.body.messages.at(-1)?.content).toBe('three')
  three.say('Three.')
  three.end({ input: 1000, output: 1000 })
  const end =
    /❯ one[\s\S]*One\.[\s\S]*❯ two[\s\S]*Two\.[\s\S]*❯ three[\s\S]*Three\.[\s\S]*Say something.*\n.*8\.0k tokens/
  for (const terminal of [first, second]) await terminal.seeOnScreen(end)
})
