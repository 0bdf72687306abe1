import { spawnSync } from 'node:child_process'
import { release } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chatting } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'

const chat = chatting()

const priced = ['--model', 'anthropic/claude-haiku-4-5']

/** A repository in the project's folder. */
const commit = () => spawnSync('git', ['init', '-q', '-b', 'trunk', join(chat.place.project, 'shop')])

test.each([
  [80, 24],
  [120, 40],
  [40, 20],
  [200, 60],
])(
  'the status line has model, folder, branch, context in per cent, time, and a cost that survives an interrupt, at %i × %i',
  async (cols, rows) => {
    using provider = new FakeProvider()
    commit()
    const env = await provider.listenAsAnthropic()
    const terminal = await chat.start(priced, { cols, rows, env, folder: 'shop' })
    terminal.type('hello\r')
    const first = await provider.next()
    first.say('One.')
    const writing = await terminal.seeOnScreen(/● writing [1-9]\d* s · /)
    expect(writing).toMatch(/● writing \d+ s ·[\s\S]*claude-haiku-4-5[\s\S]*shop \(trunk\)/)
    first.end({ input: 20_000, output: 2000 })
    const rest = await terminal.seeOnScreen(/One\.[\s\S]*Say something[\s\S]*\$0\.03/)
    const status = rest.split('\n').slice(cols > 40 ? -1 : -2)
    for (const line of status) expect(line.length).toBeLessThanOrEqual(cols)
    expect(status.join(' ')).toMatch(/^anthropic\/claude-haiku-4-5 (· )?shop \(trunk\) · context 10% · \$0\.0300/)
    terminal.type('again\r')
    ;(await provider.next()).say('Two')
    await terminal.seeOnScreen(/Two[\s\S]*● writing/)
    terminal.type('\x1b\x1b')
    await terminal.seeOnScreen(/Interrupted[\s\S]*Say something[\s\S]*≥ \$0\.03/)
    terminal.type('/cost\r')
    await terminal.see(/tokens in this conversation,\s+\$0\.0300 and more/)
    terminal.type('\x04')
    await terminal.exit
    const again = await chat.start([...priced, '--continue'], { cols, rows, env, folder: 'shop' })
    await again.seeOnScreen('≥ $0.0300')
  },
)

test('the model is told folder, system, date and git state', async () => {
  using provider = new FakeProvider()
  commit()
  // Where it is another day than at Greenwich for most of the time.
  const zone = 'Pacific/Kiritimati'
  const env = { ...(await provider.listen()), TZ: zone }
  const terminal = await chat.start(['--model', 'compatible/fake'], { env, folder: 'shop' })
  terminal.type('hello\r')
  const { body, end } = await provider.next()
  const [system] = body.messages
  expect(system?.role).toBe('system')
  for (const fact of [
    `Folder: ${join(chat.place.project, 'shop')}`,
    `System: ${process.platform} ${release()}`,
    `Date: ${new Date().toLocaleDateString('sv-SE', { timeZone: zone })}`,
    'Git: on branch trunk',
  ])
    expect(String(system?.content)).toContain(fact)
  end()
})
