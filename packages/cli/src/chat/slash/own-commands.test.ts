import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readClaudeFiles } from '../../compose/claude-code.ts'
import type { LoadedSettings } from '../../settings/load-settings.ts'
import { filledPrompt, ownCommands } from './own-commands.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-commands-'))
  for (const name of ['commands', '.turnbuckle/commands']) mkdirSync(join(folder, name), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
const read = () => ownCommands({ root: folder, home: folder })

test('a project’s command has something to trust, which changes with its text; a user’s has nothing', () => {
  put('commands/mine.md', 'Do it.')
  put('.turnbuckle/commands/theirs.md', '---\ndescription: "adds up"\n---\nAdd up $ARGUMENTS.')
  const [mine, theirs] = read()
  expect(mine).toEqual({ name: '/mine', does: 'Do it.', prompt: 'Do it.' })
  expect(theirs).toMatchObject({ name: '/theirs', does: 'adds up', prompt: 'Add up $ARGUMENTS.' })
  put('.turnbuckle/commands/theirs.md', 'Something else.')
  expect(read()[1]?.item?.hash).not.toBe(theirs?.item?.hash)
})

test('a project’s command is no link that leads out of the project', () => {
  const root = join(folder, 'project')
  mkdirSync(join(root, '.turnbuckle/commands'), { recursive: true })
  put('secret', 'SECRET')
  put('project/.turnbuckle/commands/real.md', 'Do it.')
  symlinkSync('../../../secret', join(root, '.turnbuckle/commands/review.md'))
  symlinkSync('real.md', join(root, '.turnbuckle/commands/same.md'))
  expect(ownCommands({ root, home: folder }).map(({ name }) => name)).toEqual(['/real', '/same'])
})

test('a user’s command goes before the project’s of that name; other files are no commands', () => {
  for (const place of ['commands', '.turnbuckle/commands']) put(`${place}/same.md`, place)
  put('commands/notes.txt', '')
  put('commands/.hidden.md', '')
  expect(read().map(({ prompt }) => prompt)).toEqual(['commands'])
})

test.each([
  { prompt: 'Add $ARGUMENTS now', rest: '1 and $& 2', said: 'Add 1 and $& 2 now' },
  { prompt: 'Add.', rest: '1', said: 'Add.\n\n1' },
  { prompt: 'Add.', rest: '', said: 'Add.' },
])('$prompt with $rest says $said', ({ prompt, rest, said }) =>
  expect(filledPrompt({ name: '/x', does: '', prompt }, rest)).toBe(said),
)

test('commands of Claude Code count where the settings say so, behind those of ours', async () => {
  mkdirSync(join(folder, '.claude/commands/git'), { recursive: true })
  put('.claude/commands/git/fix.md', '---\ndescription: Fixes\n---\nFix $0.')
  put('.claude/commands/same.md', 'Claude.')
  put('.turnbuckle/commands/same.md', 'Ours.')
  const settings = { root: folder, home: folder, user: {}, project: { claudeHooks: true } }
  const files = await readClaudeFiles(settings as unknown as LoadedSettings)
  const all = ownCommands(settings, files?.commands)
  expect(read().map(({ name }) => name)).toEqual(['/same'])
  expect(all.map(({ name, prompt }) => [name, prompt])).toEqual([
    ['/same', 'Ours.'],
    ['/git:fix', 'Fix $0.'],
  ])
  expect(all[1]?.item).toMatchObject({ kind: 'command', name: '/git:fix' })
  expect(all[1] && filledPrompt(all[1], '"a b" c')).toBe('Fix a b.')
})
