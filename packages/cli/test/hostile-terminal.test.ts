// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this is about
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runCommandLine } from '../src/command-line/run-command-line.ts'
import { commandTable } from '../src/command-table.ts'
import { keepTraces } from '../src/compose/keep-traces.ts'
import { FakeProvider } from './fake-provider.ts'
import { hostileStrings } from './hostile-strings.ts'
import { run } from './run-program.ts'
import { Place, Terminal } from './terminal.ts'

// A sample; `npm run test:terminal` has 100,000 strings.
const count = Number(process.env['TURNBUCKLE_TERMINAL'] ?? 600)
const strings = hostileStrings(Number(process.env['TURNBUCKLE_SEED'] ?? 19), count)
/** Strings that stand together in one place, and the places of a turn: what a person, a model, a tool and a hook say. */
const perPlace = 4
const perTurn = 12
const texts = Array.from({ length: Math.ceil(count / perPlace) }, (_, i) =>
  strings.slice(i * perPlace, (i + 1) * perPlace).join(' '),
)
const perConversation = 20

/** Anything that drives a terminal, or turns the text that a person reads. Colours are off, so that there are none of ours. */
const drives = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

let place: Place
const before = { cwd: process.cwd(), env: process.env }
const turns: string[] = []
const conversations: string[] = []

beforeAll(async () => {
  place = new Place()
  process.chdir(place.project)
  process.env = { ...place.env, NO_COLOR: '1' }
  place.putHome('config.json', JSON.stringify({ store: 'sqlite:all.db', model: 'offline' }))
  await fillStore(join(place.home, 'all.db'))
}, 3_600_000)
afterAll(() => {
  process.chdir(before.cwd)
  process.env = before.env
  place[Symbol.dispose]()
})

/** Conversations of which every string that can be foreign is hostile. */
async function fillStore(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const store = sqliteStore(path)
  const traces = keepTraces(store)
  for (let at = 0; at < texts.length; ) {
    const id = `conv_${conversations.length}`
    conversations.push(id)
    for (let i = 0; i < perConversation && at < texts.length; i++, at += perTurn)
      turns.push(await hostileTurn(store, traces, id, texts.slice(at, at + perTurn)))
  }
  await store.set('server.audit', '2026-11', true)
  await Promise.all(
    strings.map((text, i) => {
      const said = { by: text, act: 'granted', what: text, decision: 'allow', scope: 'always', pattern: text }
      const id = `2026-11-17T00:00:00.000Z-${i}`
      return store.set('server.audit.2026-11', id, { id, at: i, ...said, conversationId: text }, undefined, true)
    }),
  )
  const grants = strings.map((text, i) => ({
    id: `g.${i}`,
    scope: 'always',
    tool: text,
    decision: 'allow',
    pattern: text,
    project: text,
    createdAt: 0,
  }))
  place.putHome('permissions.json', JSON.stringify(grants))
  await store.close()
}

async function hostileTurn(
  store: ReturnType<typeof sqliteStore>,
  { use }: ReturnType<typeof keepTraces>,
  id: string,
  [said = '', ...others]: readonly string[],
): Promise<string> {
  const [reply = '', reasoning, args, result, name = '', why = '', title = '', file = '', hook = '', error = ''] =
    others
  const look = tool({ name: 'look', run: () => ({ [result ?? '']: result }) })
  const fails = tool({
    name: 'fails',
    run() {
      throw new Error(error)
    },
  })
  const calls = [{ name: 'look', args: { [args ?? '']: args } }, { name: 'fails' }, { name }]
  const model = scriptedModel([{ text: reply, ...(reasoning ? { reasoning } : {}), calls }, 'Done.'])
  const stops = middleware({ name: `${hook}.`, beforeStep: ctx => (ctx.step === 1 ? stop(why) : undefined) })
  const chat = createAgent({ model, tools: [look, fails], store, use: [use, stops] }).conversation(id)
  const content = [
    { type: 'text' as const, text: `${said}.` },
    { type: 'file' as const, mediaType: 'text/plain', data: 'aGk=', name: file },
  ]
  const turn = chat.send({ role: 'user', content })
  await turn.settled
  chat.title = `${title}.`
  await chat.kept()
  return turn.id
}

/** All that a command has written to a terminal or a pipe. */
async function printed(args: readonly string[]): Promise<string> {
  let text = ''
  const take = (data: unknown) => {
    text += String(data)
    return true
  }
  const spies = [process.stdout, process.stderr].map(stream => vi.spyOn(stream, 'write').mockImplementation(take))
  const terminal = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY')
  Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true })
  try {
    await runCommandLine(args)
  } finally {
    for (const spy of spies) spy.mockRestore()
    if (terminal) Object.defineProperty(process.stdout, 'isTTY', terminal)
    else Reflect.deleteProperty(process.stdout, 'isTTY')
  }
  return text
}

/** A colour and a link that the program never uses: with colours on they can only be foreign. */
const foreign = /\x1b\[45m|\x1b\]8;;https:\/\/a\.example/

/** The place of the first character that drives a terminal. */
const firstDriving = (text: string): string | undefined => {
  const at = text.search(drives)
  return at < 0 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))
}

/** Command lines by command. A command that prints nothing foreign, or asks, has none. */
const lines: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  list: () => [
    ['list', '--limit', '100000'],
    ['list', '--limit', '100000', '--json'],
  ],
  show: () => conversations.map(id => ['show', id]),
  tree: () => conversations.map(id => ['tree', id]),
  export: () => conversations.flatMap(id => ['json', 'md'].map(format => ['export', id, '--format', format])),
  explain: () => turns.map(id => ['explain', id]),
  trace: () =>
    turns.flatMap(id => [
      ['trace', id],
      ['trace', id, '--json'],
    ]),
  permissions: () => [['permissions', 'list']],
  audit: () => [
    ['audit', '--limit', '100000'],
    ['audit', '--json'],
  ],
  hooks: () => [['hooks', 'list']],
  doctor: () => [['doctor']],
  delete: () => texts.slice(0, 40).map(text => ['delete', `x${text}`, '--yes']),
  import: () => texts.slice(0, 40).map(text => ['import', `x${text}`]),
  eval: () => texts.slice(0, 40).map(text => ['eval', `x${text}`]),
  replay: () => texts.slice(0, 10).map(text => ['replay', `x${text}`, '--with', `y${text}`]),
}
/** Commands that are tested as processes below, that wait, or that print only what this package has written. */
const elsewhere = ['chat', 'run', 'serve', 'mcp', 'setup', 'completion']

test('every command is here', () =>
  expect([...Object.keys(lines), ...elsewhere].sort()).toEqual(commandTable.map(({ name }) => name).sort()))

test.each(Object.keys(lines))(
  `%s prints nothing that drives a terminal, of ${count} strings`,
  async command => {
    const wrong: string[] = []
    let length = 0
    for (const line of lines[command]?.() ?? []) {
      const text = await printed(line)
      length += text.length
      const found = firstDriving(text)
      if (found) wrong.push(`${line.slice(0, 2).join(' ')}: ${found}`)
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(length).toBeGreaterThan(0)
  },
  3_600_000,
)

test.each(['list', 'show', 'doctor'])('with colours, %s prints none that are foreign', async command => {
  process.env['FORCE_COLOR'] = '1'
  onTestFinished(() => void Reflect.deleteProperty(process.env, 'FORCE_COLOR'))
  let text = ''
  for (const line of lines[command]?.() ?? []) text += await printed(line)
  expect(text).toContain('\x1b[')
  expect(foreign.exec(text)).toBeNull()
})

test('run prints nothing that drives a terminal', async () => {
  using provider = new FakeProvider()
  const running = run(place, ['run', 'hello', '--model', 'compatible/fake'], { env: await provider.listen() })
  const call = await provider.next()
  for (const text of strings) call.say(text)
  call.end()
  const { out, err } = await running
  expect(firstDriving(out)).toBeUndefined()
  expect(firstDriving(err)).toBeUndefined()
  expect(out.length).toBeGreaterThan(count)
})

/** Sequences of the chat itself: it moves the cursor, erases, colours, turns wrapping off while it draws, and asks once what the terminal can. */
const own =
  /\x1b\[[\d;]*[ABCDGHJKmd]|\x1b\[\?(7|25|2004|2026|1004|1049)[hl]|\x1b\[[<>=?][\d;]*u|\x1b\]8;;(https?:[!-~]*)?\x1b\\|\x1b\[[?>]?[\d;]*[cq]|[\r\n\t\x07]/g

test('the chat draws only with sequences of its own', async () => {
  using provider = new FakeProvider()
  const env = { ...(await provider.listen()) }
  using terminal = new Terminal(place, ['chat', '--model', 'compatible/fake'], { env, cols: 100 })
  await terminal.see('Say something')
  terminal.type('hello\r')
  const call = await provider.next()
  for (const text of strings.slice(0, 3000)) call.say(`${text}\n\n`)
  call.say('The end.')
  call.end()
  await terminal.see(/The end\.[\s\S]*Say something/)
  expect(firstDriving(terminal.raw.replace(own, ''))).toBeUndefined()
})
