import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, chatting } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'

const chat = chatting()
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
const everything = { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), 'stdio'] }

test.each([
  { terminal: 'kitty', env: { TERM: 'xterm-kitty' }, begins: '\x1b_Ga=T,f=100,' },
  { terminal: 'iTerm2', env: { TERM_PROGRAM: 'iTerm.app' }, begins: '\x1b]1337;File=inline=1;' },
  { terminal: 'any other', env: {}, begins: undefined },
])('an image of an MCP server in $terminal: a thumbnail where it can, its name everywhere', async ({ env, begins }) => {
  using provider = new FakeProvider()
  chat.place.putHome('config.json', JSON.stringify({ mcpServers: { all: everything } }))
  const model = ['--model', 'compatible/fake']
  const terminal = await chat.start(model, { env: { ...(await provider.listen()), ...env } })
  await terminal.see(/^((?!connecting to)[\s\S])*$/)
  terminal.type('show me\r')
  ;(await provider.next()).call('all__get-tiny-image', {})
  await asked(terminal, '? help')
  terminal.type('y')
  const second = await provider.next()
  second.say('There it is.')
  second.end()
  const screen = await terminal.see(/⎘ image\/png, [\s\S]*There it is\.[\s\S]*Say something/)
  expect(screen).not.toMatch(/iVBOR|\[\d+B/)
  if (begins) expect(terminal.raw).toContain(begins)
  else expect(terminal.raw).not.toContain('iVBOR')
})
