import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, chatting, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { run } from './run-program.ts'
import type { Terminal } from './terminal.ts'

const chat = chatting()

/** The end of the screen, from what was typed last. */
const since = (terminal: Terminal, text: string): string => {
  const screen = chat.steady(terminal.text())
  return screen.slice(screen.lastIndexOf(text))
}

test('what was said is named, counted, saved, written to a file and cleared away', async () => {
  const terminal = await chat.start()
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  await say(terminal, '/title', 'No title yet')
  await say(terminal, '/title First talk', 'First talk')
  await say(terminal, '/cost', 'tokens in this conversation, no cost')
  await say(terminal, '/save', 'Kept as conv_')
  await say(terminal, '/export md talk.md', 'Written to')
  expect(readFileSync(join(chat.place.project, 'talk.md'), 'utf8')).toMatch(/^# First talk[\s\S]*1\+1 is 2\./)
  await say(terminal, '/export md talk.md', 'There is a talk.md already')
  await say(terminal, '/export json talk.json', 'talk.json')
  await say(terminal, '/export pdf', '/export md or /export json')
  await say(terminal, '/continue', 'Go on.')
  terminal.type('/clear\r')
  await terminal.seeOnScreen(/^\s*❯\s+Say something/)
  await say(terminal, '/explain', 'There was no turn yet.')
  await say(terminal, '/save', 'Nothing was said yet.')
  await say(terminal, 'what is 3+3', '3+3 is 6.')
  terminal.type('/quit\r')
  expect(await terminal.exit).toBe(0)
  expect((await run(chat.place, ['import', 'talk.json'])).out).toMatch(/Imported as conv_\S+: conv_\S+ is here already/)
  expect((await run(chat.place, ['import', 'talk.md'])).out).toMatch(/Imported as conv_\S+\.$/m)
  const { out } = await run(chat.place, ['list'])
  expect(out.match(/First talk/g)).toHaveLength(3)
  expect(out).toContain('what is 3+3')
})

test('a message is tried again on a branch, and branches are gone to by number', async () => {
  const terminal = await chat.start()
  await say(terminal, '/branch', 'Nothing was said yet.')
  await say(terminal, '/retry', 'There is nothing to try again.')
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  terminal.type('/fork\r')
  await terminal.see('❯ what is 1+1')
  await say(terminal, '\x15what is 2+2', '2+2 is 4.')
  await say(terminal, '/branch', '● 2')
  expect(since(terminal, '  1  ')).toMatchInlineSnapshot(`
    "  1  1+1 is 2.
    ● 2  2+2 is 4.

    ❯ Say something, or /help
    offline · project · context COUNT · COUNT tokens"
  `)
  terminal.type('/branch 1\r')
  await terminal.see(/1\+1 is 2\.\s+❯\s+Say something/)
  await say(terminal, '/cost', 'tokens in this conversation')
  terminal.type('/retry\r')
  await terminal.seeOnScreen(/^(?![\s\S]*tokens in this conversation)[\s\S]*1\+1 is 2\.\s+❯\s+Say something/)
  await say(terminal, '/branch', '● 3')
  await say(terminal, '/branch 9', 'There is no branch 9: /branch lists them.')
})

test('/tree shows a call by the argument that matters', async () => {
  const terminal = await chat.start()
  terminal.type('run echo hi\r')
  await asked(terminal, '$ echo hi')
  terminal.type('y')
  await terminal.see(/✓ shell echo hi[\s\S]*Say something/)
  terminal.type('/tree\r')
  expect(await terminal.seeOnScreen('→ shell echo hi')).not.toContain('"command"')
})

test('the title is what the person said first, also behind the output of a command of theirs', async () => {
  using provider = new FakeProvider()
  const terminal = await chat.start(['--model', 'compatible/fake'], { env: await provider.listen() })
  await say(terminal, '!echo noise', '\nnoise')
  terminal.type('why is that\r')
  const call = await provider.next()
  expect(JSON.stringify(call.body.messages.at(-1))).toMatch(/why is that.*I ran this command myself:.*noise/)
  call.say('Because.')
  call.end()
  await terminal.see(/⎘ I ran this command myself: \$ echo noise noise\n\nBecause\.[\s\S]*Say something/)
  const { out } = await run(chat.place, ['list'])
  expect([out.includes('why is that'), out.includes('noise')]).toEqual([true, false])
  terminal.type('/fork\r')
  await terminal.seeOnScreen(/You are before your last message[\s\S]*❯ why is that\ncompatible/)
})

test('after a fork the status line has the context of that branch', async () => {
  const terminal = await chat.start()
  /** The context that the status line has once the screen says so. */
  const contextAfter = async (text: string, shown: RegExp) => {
    terminal.type(`${text}\r`)
    return /context (\S+)/.exec(await terminal.seeOnScreen(shown))?.[1]
  }
  const first = await contextAfter('what is 1+1', /1\+1 is 2\.\s+❯ Say something.*\n.*context/)
  const second = await contextAfter('what is 2+2', /2\+2 is 4\.\s+❯ Say something.*\n.*context/)
  expect(second).not.toBe(first)
  expect(await contextAfter('/fork', /You are before[\s\S]*❯ what is 2\+2\n/)).toBe(first)
  expect(await contextAfter('\x15/fork', /You are before[\s\S]*❯ what is 1\+1\n/)).toBeUndefined()
})

test('hooks, tools, model and permissions are shown and changed while it runs', async () => {
  const terminal = await chat.start()
  await say(terminal, '/explain', 'There was no turn yet.')
  await say(terminal, '/permissions', 'Nothing is allowed or forbidden for longer.')
  terminal.type('write a.txt: hello\r')
  await asked(terminal, 'May write_file run?')
  terminal.type('a')
  await terminal.seeOnScreen('y grants it')
  terminal.type('y')
  await terminal.see(/✓ write_file[\s\S]*Say something/)
  await say(terminal, '/permissions', 'always')
  const id = /grant_[\w-]+|\S+(?= {2}allow write_file)/.exec(terminal.text())?.[0]
  await say(terminal, `/permissions revoke ${id}`, `Revoked ${id}.`)
  await say(terminal, '/explain', 'Nobody steered')
  await say(terminal, '/trace', 'beforeTool · approval')
  expect(terminal.text()).toMatch(/^turn +█/m)
  await say(terminal, '/tools', 'search_files')
  await say(terminal, '/hooks disable circuit-breaker', '○ circuit-breaker')
  expect(since(terminal, '● trace')).toMatchInlineSnapshot(`
    "● trace
    ● environment
    ● file-versions
    ● offline-tools
    ● agents-file
    ● approval (guard)
    ● retry
    ● trim
    ● timeout
    ○ circuit-breaker

    ❯ Say something, or /help
    offline · project · context COUNT · COUNT tokens"
  `)
  await say(terminal, '/hooks enable circuit-breaker', '● circuit-breaker')
  await say(terminal, '/hooks disable nothing', 'nothing')
  await say(terminal, '/model nowhere/none', 'nowhere')
  await say(terminal, '/model offline', 'The model is offline.')
  expect(existsSync(join(chat.place.project, 'a.txt'))).toBe(true)
})

test('thoughts are folded, and shown with Ctrl-T or /reasoning', async () => {
  chat.place.put(
    'hooks/thinking.ts',
    `import { middleware } from 'turnbuckle'
export default middleware({
  name: 'thinking',
  onChunk: chunk => chunk.type === 'text' && chunk.text.startsWith('I') ? [{ type: 'reasoning', text: 'Let me think about it' }, chunk] : undefined,
})`,
  )
  chat.place.put('turnbuckle.config.json', '{ "middleware": [{ "use": "./hooks/thinking.ts" }] }')
  await run(chat.place, ['hooks', 'trust', '--yes'])
  const terminal = await chat.start()
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  expect(terminal.text()).toContain('▸ thought, 5 words')
  expect(terminal.text()).not.toContain('Let me think')
  terminal.type('\x14')
  await terminal.see(/▾ thought, 5 words\n\s+Let me think about it[\s\S]*Say something/)
  terminal.type('/reasoning\r')
  await terminal.see(/▸ thought, 5 words\n\s*I will[\s\S]*Say something/)
})

test('/help names every command and key', async () => {
  const terminal = await chat.start([], { rows: 40 })
  await say(terminal, '/help', 'Ctrl-C twice leaves.')
  expect(since(terminal, '/help  ')).toMatchInlineSnapshot(`
    "/help                         this list
    /clear                        a new conversation on a clear screen
    /resume [ID]                  another conversation: search, ↑ ↓, Enter
    /compact [WHAT MATTERS]       goes on with a summary, for a shorter context
    /undo [TURNS]                 takes back what file tools wrote, as far as you
    choose
    /save [TITLE]                 names it; everything is kept anyway
    /title [TITLE]                shows or sets the title
    /cost                         tokens and money so far
    /reasoning                    shows thoughts in full, or folds them (Ctrl-T)
    /retry                        the last message again, on a branch of its own
    /continue                     goes on with a turn that did not end
    /export [md|json] [FILE]      writes the conversation to a file
    /quit                         leaves
    /tree                         every branch: ↑ ↓ walk, Enter goes on from there
    /fork                         before your last message, which is in the input
    again
    /branch [NUMBER]              lists the branches, or goes to one
    /rewind [MESSAGES]            before a message you choose, files too (Esc Esc)
    /theme [NAME]                 shows or changes the colours
    /hooks [enable|disable NAME]  lists middleware, or switches one
    /tools                        lists the tools
    /model [PROVIDER/MODEL]       changes the model, or lists those there are
    /background [end] [NUMBER]    sends what runs there (Ctrl-B), or shows it
    /plan [TASK]                  only reading, until you accept a plan (also
    Shift-Tab)
    /mcp                          MCP servers, their state and their tools
    /vim                          vim keys in the input, on or off
    /permissions [revoke ID]      what you allowed or forbade for longer
    /explain                      who decided what in the last turn
    /trace                        what happened when in the last turn

    Enter sends; Shift-Enter, Ctrl-J or \\ Enter begins a new line; Tab completes;
    ↑ ↓ look back, Ctrl-R searches; Ctrl-X Ctrl-E opens your editor.
    @file attaches a file or an image, !command runs a command of yours, #note
    goes to AGENTS.md. Shift-Tab: ask, accept edits, plan.
    While it works: Enter says it now, Alt-Enter after this turn, Esc Esc or
    Ctrl-C stops it. Ctrl-T shows thoughts, Ctrl-O all of the transcript. Ctrl-Z
    suspends. Ctrl-C twice leaves.

    ❯ Say something, or /help
    offline · project · 0 tokens"
  `)
})
