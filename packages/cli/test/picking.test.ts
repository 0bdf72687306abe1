import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, chatting, prompt, say } from './chatting.ts'

const chat = chatting()
const path = (name: string) => join(chat.place.project, name)

test.each([
  [80, 24],
  [120, 40],
  [40, 20],
  [200, 60],
])('the menu of commands is walked with arrows at %i × %i', async (cols, rows) => {
  const terminal = await chat.start([], { cols, rows })
  terminal.type('/t')
  const menu = await terminal.seeOnScreen(/› \/title[\s\S]* \/tree[\s\S]* \/theme[\s\S]* \/tools/)
  expect(menu.split('\n').every(line => line.length <= cols)).toBe(true)
  expect(terminal.raw).toContain('\x1b[7m')
  terminal.type('\x1b[B\x1b[B\x1b[B')
  await terminal.seeOnScreen(/› \/tools/)
  terminal.type('\r')
  await terminal.see('search_files')
})

test('/resume picks a conversation by title, with age and cost; /fork puts the message into the input', async () => {
  const first = await chat.start()
  await say(first, 'what is 1+1', '1+1 is 2.')
  await say(first, '/title Sums of old', 'Sums of old')
  await say(first, '/clear', prompt)
  await say(first, 'what is 9*9', '9*9 is 81.')
  first.type('/resume\r')
  await first.seeOnScreen(/Go on with[\s\S]*› what is 9\*9 +just now[\s\S]*Sums of old +just now/)
  first.type('sums')
  await first.seeOnScreen(/search: sums\n› Sums of old/)
  expect(first.cursor()).toMatchObject({ column: 'Go on with · search: sums'.length, shown: true })
  first.type('\r')
  await first.seeOnScreen(/1\+1 is 2\.\s+❯ Say something/)
  first.type('/fork\r')
  await first.seeOnScreen(/makes a branch[\s\S]*❯ what is 1\+1/)
})

test('/model has a list, /mcp the servers, /compact goes on with a summary', async () => {
  const terminal = await chat.start([], { env: { ANTHROPIC_API_KEY: 'x' } })
  terminal.type('/model\r')
  await terminal.seeOnScreen(/Model[\s\S]*› offline +a script, no AI[\s\S]*anthropic\/claude-/)
  terminal.type('opus\r')
  await terminal.see(/The model is anthropic\/claude-opus/)
  await say(terminal, '/model offline', 'The model is offline.')
  await say(terminal, '/mcp', 'There are no MCP servers.')
  await say(terminal, '/compact', 'nothing to make shorter')
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  terminal.type('/compact\r')
  await terminal.see(/Summary of the conversation so far:[\s\S]*4 messages became a summary/)
  await say(terminal, '/title', 'what is 1+1')
  await say(terminal, 'what is 2+2', '2+2 is 4.')
})

test('/plan reads only, until the plan is accepted in a question', async () => {
  const terminal = await chat.start()
  terminal.type('/plan write a.txt: hello\r')
  await terminal.see(/⊘ write_file a\.txt[\s\S]*plan mode[\s\S]*Say something/)
  expect(existsSync(path('a.txt'))).toBe(false)
  terminal.type('plan: write a.txt\r')
  await asked(terminal, /Carry out this plan\?[\s\S]*write a\.txt/)
  terminal.type('\r')
  await terminal.see('Enter is no answer here')
  terminal.type('use b.txt\r')
  await terminal.see(/not accepted: use b\.txt[\s\S]*Say something/)
  await terminal.seeOnScreen('plan · offline')
  terminal.type('plan: write b.txt\r')
  await asked(terminal, /Carry out this plan\?[\s\S]*│ write b\.txt/)
  terminal.type('y')
  await terminal.see(/The plan is accepted[\s\S]*Say something/)
  expect(terminal.visible()).not.toContain('plan · offline')
})

test('/undo takes back what file tools wrote, and names what commands did', async () => {
  chat.place.put('old.txt', 'before')
  const terminal = await chat.start()
  await say(terminal, '/undo', 'No file tool wrote anything')
  terminal.type('\x1b[Z')
  await terminal.seeOnScreen('accept edits')
  terminal.type('write old.txt: after; write new.txt: new; run echo ran\r')
  await asked(terminal, 'May shell run?')
  terminal.type('y')
  await terminal.see(/✓ shell echo ran[\s\S]*Say something/)
  terminal.type('/undo\r')
  await asked(
    terminal,
    /restore old\.txt[\s\S]*delete new\.txt \(it was new\)[\s\S]*cannot be undone:[\s\S]*\$ echo ran/,
  )
  terminal.type('\r')
  await terminal.see('Enter is no answer here')
  terminal.type('y')
  await terminal.see('Undone: old.txt, new.txt')
  expect(readFileSync(path('old.txt'), 'utf8')).toBe('before')
  expect(existsSync(path('new.txt'))).toBe(false)
})

test('/undo lists the turns that wrote files, and takes back several in one go', async () => {
  chat.place.put('a.txt', 'first')
  const terminal = await chat.start()
  terminal.type('\x1b[Z')
  await terminal.seeOnScreen('accept edits')
  for (const line of ['write a.txt: second', 'write b.txt: new', 'write a.txt: third']) {
    terminal.type(`${line}\r`)
    await terminal.seeOnScreen(new RegExp(`❯ ${line}[\\s\\S]*✓ write_file[\\s\\S]*Say something`))
  }
  terminal.type('/undo\r')
  await terminal.seeOnScreen(
    /Files as they were before[\s\S]*› write a\.txt: third +a\.txt\n +write b\.txt: new +b\.txt\n +write a\.txt: second +a\.txt\n/,
  )
  terminal.type('\x1b[B\x1b[B\r')
  await asked(terminal, /Undo the files of the last 3 turns\?[\s\S]*restore a\.txt[\s\S]*delete b\.txt \(it was new\)/)
  terminal.type('\r')
  await terminal.see('Enter is no answer here')
  expect(readFileSync(path('a.txt'), 'utf8')).toMatch(/^third/)
  terminal.type('y')
  await terminal.see('Undone: a.txt, b.txt')
  expect([readFileSync(path('a.txt'), 'utf8'), existsSync(path('b.txt'))]).toEqual(['first', false])
  await say(terminal, '/undo', 'No file tool wrote anything that is left to undo.')
})

test.each([
  [80, 24],
  [120, 40],
  [40, 20],
  [200, 60],
])(
  'Esc Esc goes back to a message, and asks what of conversation and files goes with it, at %i × %i',
  async (cols, rows) => {
    chat.place.put('a.txt', 'first')
    const terminal = await chat.start([], { cols, rows })
    terminal.type('\x1b[Z')
    await terminal.seeOnScreen('accept edits')
    for (const line of ['write a.txt: second', 'write b.txt: new']) {
      terminal.type(`${line}\r`)
      await terminal.seeOnScreen(new RegExp(`❯ ${line}[\\s\\S]*✓ write_file[\\s\\S]*Say something`))
    }
    terminal.type('\x1b')
    await terminal.seeOnScreen('Esc again to go back')
    terminal.type('\x1b')
    await terminal.seeOnScreen(/Back to before\s+› write b\.txt: new +b\.txt\n +write a\.txt: second +a\.txt\n/)
    terminal.type('\x1b[B\r')
    const question = await asked(
      terminal,
      /What goes back\?[\s\S]*restore a\.txt[\s\S]*delete b\.txt \(it was new\)[\s\S]*Esc/,
    )
    expect(question).toContain('2 files can go back too')
    terminal.type('b')
    await terminal.seeOnScreen(/Undone: a\.txt, b\.txt[\s\S]*❯ write a\.txt: second/)
    expect([readFileSync(path('a.txt'), 'utf8'), existsSync(path('b.txt'))]).toEqual(['first', false])
  },
)

test('/fork with Enter moves the conversation alone; a file that was changed by hand since is left alone', async () => {
  const terminal = await chat.start()
  terminal.type('\x1b[Z')
  await terminal.seeOnScreen('accept edits')
  await say(terminal, 'write a.txt: second; write b.txt: new', '✓ write_file b.txt')
  chat.place.put('b.txt', 'by hand')
  terminal.type('/fork\r')
  await asked(terminal, /A file can go back too:[\s\S]*delete a\.txt[\s\S]*leave b\.txt: it was changed since/)
  terminal.type('\r')
  await terminal.seeOnScreen(/You are before your last message[\s\S]*❯ write a\.txt: second/)
  expect(['a.txt', 'b.txt'].map(name => readFileSync(path(name), 'utf8'))).toEqual(['second', 'by hand'])
})

test('own commands come from the user’s folder, and from the project after trust', async () => {
  mkdirSync(join(chat.place.home, 'commands'))
  writeFileSync(join(chat.place.home, 'commands', 'mine.md'), 'what is $ARGUMENTS')
  chat.place.put('.turnbuckle/commands/theirs.md', '---\ndescription: adds up\n---\nwhat is 4+4')
  const terminal = await chat.start()
  await say(terminal, '/mine 3+3', '3+3 is 6.')
  terminal.type('/thei')
  await terminal.seeOnScreen(/› \/theirs +adds up/)
  terminal.type('\r')
  await asked(terminal, /what is 4\+4[\s\S]*Trust exactly this text/)
  terminal.type('\x1b')
  await terminal.seeOnScreen(/❯ Say something/)
  terminal.type('/theirs\r')
  await asked(terminal, 'Trust exactly this text')
  terminal.type('y')
  await terminal.see('4+4 is 8.')
  await terminal.seeOnScreen(prompt)
  await say(terminal, '/theirs', '4+4 is 8.')
  expect(terminal.visible()).not.toContain('Trust exactly')
})
