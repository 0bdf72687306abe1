import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FakeProvider } from '../fake-provider.ts'
import { Place, Terminal } from '../terminal.ts'

const size = { cols: 84, rows: 24 }
/** A question is deaf for a moment after it has appeared. */
const heard = () => new Promise(resolve => setTimeout(resolve, 500))

const cart = `export function total(items) {
  const seen = new Map(items.map(item => [item.id, item]))
  return [...seen.values()].reduce((sum, { price }) => sum + price, 0)
}
`
const cartTest = `import assert from 'node:assert'
import test from 'node:test'
import { total } from './cart.js'

test('two of the same item count twice', () => {
  assert.equal(total([{ id: 'tea', price: 4 }, { id: 'tea', price: 4 }]), 8)
})
`
const explained = `\`total\` put the items into a map by their id, so the second tea replaced the first. Now:

- every item counts, **also two of the same**
- \`cart.test.js\` passes
`

/** A chat that is being recorded, with the model's side of it. */
class Recording {
  readonly #place = new Place()
  readonly #provider = new FakeProvider()
  readonly #folder: string
  #env: Readonly<Record<string, string>> = {}
  #frames = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async begin(): Promise<Terminal> {
    const { project } = this.#place
    const shop = join(project, 'shop')
    mkdirSync(shop)
    this.#place.put('shop/package.json', '{ "type": "module" }')
    this.#place.put('shop/cart.js', cart)
    this.#place.put('shop/cart.test.js', cartTest)
    spawnSync('git', ['init', '-q', '-b', 'main', shop])
    this.#env = await this.#provider.listen()
    return this.open()
  }
  open(...args: readonly string[]): Terminal {
    const given = ['chat', '--model', 'compatible/fake', ...args]
    return new Terminal(this.#place, given, { ...size, env: this.#env, folder: 'shop' })
  }
  reply(): ReturnType<FakeProvider['next']> {
    return this.#provider.next()
  }
  async say(text: string): Promise<void> {
    const reply = await this.reply()
    reply.say(text)
    reply.end({ input: 2400, output: 180 })
  }

  /** Keeps the screen once it shows that. */
  async frame(terminal: Terminal, name: string, shows: string | RegExp): Promise<void> {
    await terminal.seeOnScreen(shows)
    await heard()
    const file = `cli-${String(++this.#frames).padStart(2, '0')}-${name}.svg`
    writeFileSync(join(this.#folder, file), terminal.picture().replaceAll(this.#place.project, '~'))
    console.log(file)
  }
  [Symbol.dispose](): void {
    this.#provider[Symbol.dispose]()
    this.#place[Symbol.dispose]()
  }
}

async function codingTask(recording: Recording, terminal: Terminal): Promise<void> {
  terminal.type('The total is wrong for two of the same item. Fix it and run the tests.\r')
  const first = await recording.reply()
  first.say('I will look at the cart first.')
  first.call('read_file', { path: 'cart.js' })
  const second = await recording.reply()
  second.say('The map drops the second item of an id.')
  second.call('edit_file', {
    path: 'cart.js',
    old: '  const seen = new Map(items.map(item => [item.id, item]))\n  return [...seen.values()].reduce(',
    new: '  return items.reduce(',
  })
  await recording.frame(terminal, 'diff', /\+ {2}return items[\s\S]*\? help/)
  terminal.type('y')
  const third = await recording.reply()
  third.call('shell', { command: 'node --test cart.test.js' })
  await recording.frame(terminal, 'command', /\$ node --test[\s\S]*\? help/)
  terminal.type('Y')
  await recording.frame(terminal, 'pattern', 'Allow in this conversation')
  terminal.type('y')
  await recording.say(explained)
  await recording.frame(terminal, 'done', /passes[\s\S]*Say something/)
}

async function interrupt(recording: Recording, terminal: Terminal): Promise<void> {
  terminal.type('Explain every line of it at length.\r')
  const reply = await recording.reply()
  reply.say('The file has one function.\n\n`total` takes a list of items and ')
  await terminal.see('takes a list of items and')
  terminal.type('\x1b')
  await recording.frame(terminal, 'esc', 'Esc again to stop')
  terminal.type('\x1b\x1b')
  await recording.frame(terminal, 'interrupted', /Interrupted[\s\S]*Say something/)
}

async function fork(recording: Recording, terminal: Terminal): Promise<void> {
  terminal.type('/fork\r')
  await recording.frame(terminal, 'fork', /❯ Explain every line/)
  terminal.type('\x15Explain it in one sentence.\r')
  await recording.say('It adds up the prices of all items.')
  await terminal.see(/adds up the prices[\s\S]*Say something/)
  terminal.type('/tree\r')
  await recording.frame(terminal, 'tree', 'Enter goes on from there')
  terminal.type('\x1b')
  await terminal.seeOnScreen('Say something')
}

async function resumeAfterKill(recording: Recording, terminal: Terminal): Promise<void> {
  terminal.type('Write a note about the fix for the changelog.\r')
  const reply = await recording.reply()
  reply.say('### Fixed\n\nThe total of a cart counts')
  await terminal.see('The total of a cart counts')
  terminal.kill('SIGKILL')
  await terminal.exit
  const again = recording.open('--continue')
  await recording.frame(again, 'after-kill-9', /cut off[\s\S]*The last turn did not end/)
  again.type('y')
  await recording.say('### Fixed\n\nThe total of a cart counts every item, also two of the same.')
  await recording.frame(again, 'resumed', /two of the same\.[\s\S]*Say something/)
  again.type('\x04')
  await again.exit
}

/** Plays the chat of docs/cli.md and writes its screens into a folder. */
export async function record(folder: string): Promise<void> {
  using recording = new Recording(folder)
  const terminal = await recording.begin()
  await terminal.see('Say something')
  await codingTask(recording, terminal)
  await interrupt(recording, terminal)
  await fork(recording, terminal)
  await resumeAfterKill(recording, terminal)
}
