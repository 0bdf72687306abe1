import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chatting } from '../../test/chatting.ts'
import { FakeProvider } from '../../test/fake-provider.ts'
import { Terminal } from '../../test/terminal.ts'

const chat = chatting()

test('setup asks for provider, key and model, tries them and keeps them for the user alone', async () => {
  using provider = new FakeProvider()
  const { COMPATIBLE_BASE_URL = '' } = await provider.listen()
  chat.place.putHome('config.json', '{ "theme": "light" } // mine')
  using terminal = new Terminal(chat.place, ['setup'])
  await terminal.see(/5 {2}compatible[\s\S]*Number or name \[1\]:/)
  terminal.type('6\r')
  await terminal.see(/"6" is none of them\.[\s\S]*Number or name \[1\]:$/)
  terminal.type('5\r')
  await terminal.see('Address:')
  terminal.type(`${COMPATIBLE_BASE_URL}\r`)
  await terminal.see('COMPATIBLE_API_KEY (not shown):')
  terminal.type('sk-secret\r')
  await terminal.see('Model:')
  terminal.type('fake\r')
  const call = await provider.next()
  call.say('ok')
  call.end()
  await terminal.see(/✓ It answers\.[\s\S]*Kept in/)
  expect(await terminal.exit).toBe(0)
  expect(terminal.raw).not.toContain('sk-secret')
  const file = join(chat.place.home, 'config.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    theme: 'light',
    model: 'compatible/fake',
    env: { COMPATIBLE_BASE_URL, COMPATIBLE_API_KEY: 'sk-secret' },
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each(['Enter', 'Esc'])('a key that does not work is not kept unless one says so: %s is no', async key => {
  using provider = new FakeProvider()
  const { COMPATIBLE_BASE_URL = '' } = await provider.listen()
  using terminal = new Terminal(chat.place, ['setup'])
  await terminal.see('Number or name')
  terminal.type(`compatible\r`)
  await terminal.see('Address:')
  terminal.type(`${COMPATIBLE_BASE_URL}\r`)
  await terminal.see('(not shown):')
  terminal.type('wrong\r')
  await terminal.see('Model:')
  terminal.type('fake\r')
  ;(await provider.next()).refuse(401, 'Wrong key.')
  await terminal.see(/✗ [\s\S]*answered 401: Wrong key\.[\s\S]*Keep it all the same\? \[y\/N\]/)
  terminal.type(key === 'Esc' ? '\x1b' : '\r')
  await terminal.see('Nothing was changed.')
  expect(await terminal.exit).toBe(1)
  expect(() => readFileSync(join(chat.place.home, 'config.json'))).toThrow('ENOENT')
})

test('the first chat says what offline is, that it is no AI, and how to connect a model', async () => {
  using terminal = new Terminal(chat.place, ['chat'])
  await terminal.see(/"offline" answers here\. It is no AI[\s\S]*To connect a real model: turnbuckle setup/)
})
