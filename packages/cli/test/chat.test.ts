import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { asked, chatting, prompt, running, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { run } from './run-program.ts'

const chat = chatting()

describe('the screen', () => {
  test('shows a turn with a call, its result and the reply', async () => {
    const terminal = await chat.start()
    terminal.type('what is 17*23\r')
    await terminal.see('17*23 is 391.')
    expect(chat.steady(await terminal.see(/Say something, or \/help[\s\S]*tokens/))).toMatchSnapshot()
  })

  test('fits into a narrow terminal', async () => {
    const terminal = await chat.start([], { cols: 34, rows: 14 })
    terminal.type('run date\r')
    await asked(terminal, '? help')
    terminal.type('n\r')
    await terminal.see('was not allowed')
    expect(
      chat
        .steady(await terminal.see('Say something'))
        .split('\n')
        .every(line => line.length <= 34),
    ).toBe(true)
  })

  test.each([
    { cols: 80, rows: 24 },
    { cols: 40, rows: 24 },
    { cols: 40, rows: 20 },
    { cols: 34, rows: 16 },
  ])('loses no line to what is taller than $cols × $rows', async size => {
    const terminal = await chat.start([], size)
    const words = Array.from({ length: 30 }, (_, i) => `word${i}${'-'.repeat(30)}`).join(' ')
    terminal.type(`write long.txt: ${words}\r`)
    const asking = await asked(terminal, /more lines, see above[\s\S]*\? help/)
    expect(asking.replace(/\n/g, '')).toContain('word20')
    const above = asking.slice(0, asking.search(/^(○ write_file|… 1 more)/m)).trimEnd()
    terminal.type('?')
    await terminal.see(/Esc Esc/)
    terminal.type('y')
    await terminal.see(/I will use write_file\.[\s\S]*✓ write_file long\.txt[\s\S]*Say something/)
    expect(terminal.text().slice(0, above.length)).toBe(above)
    terminal.type(`${Array.from({ length: 12 }, (_, i) => `${i}*1`).join('; ')}\r`)
    await terminal.see(/I will use[\s\S]*(✓ calculate[\s\S]*){12}11\*1 is 11[\s\S]*Say something/)
    expect(terminal.text().match(/I will use/g)).toHaveLength(2)
  })

  test('follows the size of the terminal, has no colour when none is wanted, and is not driven by what a tool gives', async () => {
    chat.place.put('evil.txt', 'before \x1b]0;owned\x07\x1b[2Jafter')
    const terminal = await chat.start([], { env: { NO_COLOR: '1' } })
    await terminal.resize(50, 20)
    terminal.type('read evil.txt\r')
    await terminal.see(/evil.txt says:[\s\S]*after/)
    const lines = (await terminal.see(prompt)).split('\n')
    expect(lines.every(line => line.length <= 50)).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour is a control sequence
    expect(terminal.raw).not.toMatch(/\x1b\[3[0-7]m/)
    expect(terminal.raw).not.toContain('owned')
  })
})

describe('a question', () => {
  const grants = (): { decision: string; scope: string; id: string }[] => {
    const file = join(chat.place.home, 'permissions.json')
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  }
  const written = (name: string) => existsSync(join(chat.place.project, name))

  test('shows the exact call, what it would change, and what the keys mean', async () => {
    const terminal = await chat.start()
    terminal.type('write notes.txt: buy bread\r')
    expect(chat.steady(await asked(terminal, /\? help[\s\S]*waiting for you/))).toMatchSnapshot()
    terminal.type('?')
    const help = chat.steady(await terminal.see(/stop the turn[\s\S]*waiting for you/))
    expect(help.slice(help.indexOf('│ y '))).toMatchSnapshot()
    terminal.type('?')
    await terminal.see('? help')
    terminal.type('\x1b\x1b')
    await terminal.see(/◼ write_file[\s\S]*Interrupted[\s\S]*Say something/)
    expect(written('notes.txt')).toBe(false)
  })

  test('is answered once, for longer, or with no', async () => {
    const terminal = await chat.start()
    const answer = async (file: string, keys: string, shown: RegExp) => {
      terminal.type(`write ${file}: hello\r`)
      await asked(terminal, new RegExp(`❯ write ${file}[\\s\\S]*May write_file run\\?`))
      terminal.type(keys)
      if (/^[Ypa]$/.test(keys)) {
        await terminal.seeOnScreen('y grants it')
        terminal.type('y')
      }
      await terminal.see(shown)
      await terminal.see(prompt)
      const [grant] = grants()
      if (grant) await say(terminal, `/permissions revoke ${grant.id}`, `Revoked ${grant.id}.`)
      return grant && `${grant.decision} ${grant.scope}`
    }
    expect(await answer('1.txt', 'y', /✓ write_file 1\.txt/)).toBeUndefined()
    expect(await answer('2.txt', 'Y', /✓ write_file 2\.txt/)).toBe('allow conversation')
    expect(await answer('3.txt', '\r', /✓ write_file 3\.txt/)).toBeUndefined()
    expect(await answer('4.txt', 'p', /✓ write_file 4\.txt/)).toBe('allow project')
    expect(await answer('5.txt', 'a', /✓ write_file 5\.txt/)).toBe('allow always')
    expect(await answer('6.txt', 'no thanks\r', /⊘ write_file 6\.txt[\s\S]*no thanks/)).toBeUndefined()
    expect(await answer('7.txt', 'N', /⊘ write_file 7\.txt/)).toBe('deny conversation')
    expect(['1', '2', '3', '4', '5', '6', '7'].filter(name => written(`${name}.txt`))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
  })

  test('comes one at a time, in the order of the calls; other arguments can be given', async () => {
    const terminal = await chat.start()
    terminal.type('write a.txt: hello; write b.txt: hello\r')
    await asked(terminal, /│ a\.txt/)
    expect(terminal.text()).not.toMatch(/│ b\.txt/)
    terminal.type('e')
    await terminal.see(/Edit it; Enter runs it[\s\S]*❯ hello/)
    terminal.type('\x1b')
    await terminal.see('? help')
    terminal.type('e')
    await terminal.see(/Edit it; Enter runs it[\s\S]*❯ hello/)
    terminal.type('\x15changed\r')
    await asked(terminal, /│ b\.txt/)
    terminal.type('y')
    await terminal.see(/✓ write_file b\.txt[\s\S]*Say something/)
    expect(readFileSync(join(chat.place.project, 'a.txt'), 'utf8')).toBe('changed')
  })

  test('shows a diff, and control characters for what they are', async () => {
    chat.place.put('notes.txt', 'one\ntwo\n')
    const terminal = await chat.start()
    terminal.type('replace "two" with "three" in notes.txt\r')
    await asked(terminal, /-two[\s\S]*\+three[\s\S]*\? help/)
    terminal.type('y')
    await terminal.see(/✓ edit_file notes\.txt[\s\S]*-two[\s\S]*\+three[\s\S]*Say something/)
    terminal.type('\x1b[200~write a.txt: bell \x07 and \u202eright\x1b[201~\r')
    await asked(terminal, /bell \\u0007 and \\u202eright/)
    terminal.type('n\r')
    await terminal.see(/⊘ write_file[\s\S]*Say something/)
  })

  test('of the agent is answered in words', async () => {
    const terminal = await chat.start()
    terminal.type('ask me: which one\r')
    await asked(terminal, 'A question for you')
    terminal.type('the blue one\r')
    await terminal.see('You answered: the blue one')
  })
})

describe('while it works', () => {
  test('Esc Esc interrupts a tool and a reply, and typing goes on', async () => {
    const terminal = await chat.start()
    terminal.type('wait 60 seconds\r')
    await terminal.see(running('wait .*60'))
    terminal.type('\x1b\x1b')
    await terminal.see(/◼ wait .*60/)
    terminal.type('count to 500\r')
    await terminal.see(/1\n2\n3|1, 2, 3|1 2 3/)
    terminal.type('\x1b\x1b')
    await terminal.see(/\b3\b[\s\S]*… interrupted/)
    await say(terminal, 'what is 1+1', '1+1 is 2.')
  })

  test('Esc, a letter, Esc does not interrupt; Enter says it to the running turn, Alt-Enter after it', async () => {
    using provider = new FakeProvider()
    const terminal = await chat.start(['--model', 'compatible/fake'], { env: await provider.listen() })
    terminal.type('hello\r')
    const first = await provider.next()
    first.say('Well')
    await terminal.see('Well')
    terminal.type('\x1b')
    await terminal.see('Esc again to stop')
    terminal.type('x\x1b')
    terminal.type('\x15after it\x1b\r')
    await terminal.see('⧗ after it')
    terminal.type('during it\r')
    await terminal.see('↳ during it')
    first.end()
    const second = await provider.next()
    expect(second.body.messages.at(-1)?.content).toBe('during it')
    second.end()
    const third = await provider.next()
    expect(third.body.messages.at(-1)?.content).toBe('after it')
    third.say('All heard.')
    third.end()
    await terminal.see(/❯ during it[\s\S]*❯ after it[\s\S]*All heard\.[\s\S]*Say something/)
  })
})

describe('the input', () => {
  test('takes several lines, and a paste as it is', async () => {
    const terminal = await chat.start()
    terminal.type('what is 1+1\x0a\x1b[200~what is 2+2\r\nwhat is 3+3\x1b[201~')
    await terminal.see(/❯ what is 1\+1\n\s+what is 2\+2\n\s+what is 3\+3/)
    terminal.type('\r')
    await terminal.see(/1\+1 is 2\.[\s\S]*2\+2 is 4\.[\s\S]*3\+3 is 6\./)
  })

  test('remembers what was said, also in the next chat', async () => {
    const first = await chat.start()
    first.type('what is 5+5\r')
    await first.see('5+5 is 10.')
    first.type('\x04')
    await first.exit
    const second = await chat.start()
    second.type('\x1b[A')
    await second.see('❯ what is 5+5')
  })

  test('completes commands and files; an unknown command names the nearest', async () => {
    chat.place.put('letters.txt', 'abc')
    const terminal = await chat.start()
    terminal.type('read let\t\r')
    await terminal.see('letters.txt says:')
    await terminal.see(prompt)
    terminal.type('/too\t\r')
    await terminal.see('search_files')
    terminal.type('/hlep\r')
    await terminal.see('There is no /hlep. Did you mean "/help"?')
  })
})

describe('the tree', () => {
  test('is walked with the arrows, and gone on from', async () => {
    const terminal = await chat.start()
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
    await terminal.see(prompt)
    terminal.type('/fork\r')
    await terminal.see('what you say now makes a branch')
    terminal.type('\x15what is 2+2\r')
    await terminal.see('2+2 is 4.')
    await terminal.see(prompt)
    terminal.type('/tree\r')
    const screen = chat.steady(await terminal.see(/Enter goes on from there[\s\S]*tokens/))
    expect(screen.slice(screen.indexOf('├─'))).toMatchSnapshot()
    terminal.type('\x1b[A\x1b[A\x1b[A\x1b[A\r')
    await terminal.see(/1\+1 is 2\.\s+❯\s+Say something/)
  })

  test('a rewind says first what it leaves behind', async () => {
    const terminal = await chat.start()
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
    await terminal.see(prompt)
    terminal.type('/rewind\r')
    await terminal.see('4 messages are left on their branch')
    await asked(terminal, 'Tools ran there (calculate)')
    terminal.type('n')
    await terminal.see(/1\+1 is 2\.[\s\S]*Say something/)
  })
})

describe('leaving', () => {
  test.each([
    { how: 'Ctrl-C twice', keys: '\x03\x03', code: 0 },
    { how: 'Ctrl-D', keys: '\x04', code: 0 },
    { how: '/quit', keys: '/quit\r', code: 0 },
  ])('$how leaves and restores the terminal; Ctrl-C once does not', async ({ keys, code }) => {
    const terminal = await chat.start()
    terminal.type('\x03')
    await terminal.see('Ctrl-C again leaves.')
    terminal.type('x\x7f')
    await terminal.see(prompt)
    terminal.type(keys)
    expect(await terminal.exit).toBe(code)
    expect(terminal.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(terminal.raw.lastIndexOf('\x1b[?25l'))
    expect(terminal.raw).toContain('\x1b[?2004l')
  })
})

describe('a project', () => {
  beforeEach(() => {
    chat.place.put(
      'hooks/own.ts',
      `import { middleware, stop } from 'turnbuckle'\nexport default middleware({ name: 'own', beforeTurn: () => stop('as the hook says') })`,
    )
    chat.place.put('turnbuckle.config.json', '{ "middleware": [{ "use": "./hooks/own.ts" }] }')
  })

  test('is asked about once, with what will run', async () => {
    const first = chat.open()
    await first.see(/\.\/hooks\/own\.ts[\s\S]*Trust exactly this content\?/)
    first.type('y\r')
    await first.see(prompt)
    first.type('hello\r')
    await first.see('Stopped by own: as the hook says')
    first.type('\x04')
    await first.exit
    await chat.start()
  })

  test('that has changed is asked about with the change', async () => {
    await run(chat.place, ['hooks', 'trust', '--yes'])
    chat.place.put(
      'hooks/own.ts',
      `import { middleware, stop } from 'turnbuckle'\nexport default middleware({ name: 'own', beforeTurn: () => stop('another') })`,
    )
    const terminal = chat.open([], { cols: 120 })
    await terminal.see(/-.*"as the hook says"[\s\S]*\+.*"another"[\s\S]*Trust exactly this content\?/)
    terminal.type('\r')
    await terminal.see('Not trusted, so not used: ./hooks/own.ts')
  })

  test('that is not trusted is left out', async () => {
    const terminal = chat.open()
    await terminal.see('Trust exactly this content?')
    terminal.type('n\r')
    await terminal.see('Not trusted, so not used: ./hooks/own.ts')
    await terminal.see(prompt)
  })

  test('a saved hook takes effect once it is trusted; a broken one keeps the old', async () => {
    await run(chat.place, ['hooks', 'trust', '--yes'])
    const terminal = await chat.start()
    const hook = (reason: string) =>
      `import { middleware, stop } from 'turnbuckle'\nexport default middleware({ name: 'own', beforeTurn: () => stop('${reason}') })`
    chat.place.put('hooks/own.ts', hook('as it says now'))
    await asked(terminal, './hooks/own.ts has changed')
    terminal.type('y')
    await terminal.see('is in force from the next stage on')
    terminal.type('hello\r')
    await terminal.see('Stopped by own: as it says now')
    chat.place.put('hooks/own.ts', 'export default middleware({')
    await terminal.see('but the old one stays')
    terminal.type('hello again\r')
    await terminal.see(/hello again\s+Stopped by own: as it says now/)
  })
})
