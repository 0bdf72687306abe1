import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  claudeCommands,
  claudeInstructionFiles,
  claudeMcpServers,
  claudeSkills,
  fillClaudeCommand,
  fillMcpVariables,
  hookScripts,
  readClaudeAgents,
  readClaudeHooks,
  readClaudeInstructions,
} from 'turnbuckle/claude'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
let home: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'claude-files-'))
  home = join(root, 'home')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const stopHook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
const commandsOf = (sources: ReturnType<typeof readClaudeHooks>) =>
  sources.flatMap(({ from, handlers }) =>
    handlers.map(({ handler }) => [from, handler.type === 'command' ? handler.command : '']),
  )

test('hooks come from the user, the project, its local file and enabled plugins', () => {
  write('home/settings.json', { ...stopHook('user'), enabledPlugins: { 'format@shop': true, 'off@shop': false } })
  write('.claude/settings.json', stopHook('project'))
  write('.claude/settings.local.json', stopHook('local'))
  write('home/plugins/installed_plugins.json', {
    version: 2,
    plugins: {
      'format@shop': [{ installPath: join(root, 'format') }],
      'off@shop': [{ installPath: join(root, 'off') }],
    },
  })
  write('format/hooks/hooks.json', { description: 'Formats.', ...stopHook('plugin') })
  write('off/hooks/hooks.json', stopHook('off'))
  write('mine/.claude-plugin/plugin.json', { name: 'mine', hooks: stopHook('inline').hooks })
  const sources = readClaudeHooks({ root, home, plugins: ['mine'] })
  expect(commandsOf(sources)).toEqual([
    ['user', 'user'],
    ['project', 'project'],
    ['local', 'local'],
    ['plugin', 'plugin'],
    ['plugin', 'inline'],
  ])
  expect(sources[3]?.plugin).toEqual({ root: join(root, 'format'), data: join(home, 'plugins/data/format-shop') })
})

test('a project switches off its own hooks and not the user’s; the user switches off all', () => {
  write('home/settings.json', stopHook('user'))
  write('.claude/settings.json', { ...stopHook('project'), disableAllHooks: true })
  expect(commandsOf(readClaudeHooks({ root, home }))).toEqual([['user', 'user']])
  write('home/settings.json', { ...stopHook('user'), disableAllHooks: true })
  expect(readClaudeHooks({ root, home })).toEqual([])
})

test('a settings file that is no JSON is named', () => {
  write('.claude/settings.json', '{')
  const [source] = readClaudeHooks({ root, home })
  expect(source?.problems[0]).toMatch(/^\.claude\/settings\.json: /)
})

test('the scripts of a hook are what it names, what these name, and their folder in .claude', () => {
  write(
    '.claude/settings.json',
    stopHook('"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh && node tools/lint.mjs && npm test'),
  )
  write('.claude/hooks/check.sh', '. ./lib/common.sh\n')
  write('.claude/hooks/other.sh', 'true')
  write('tools/lint.mjs', "import './rules.mjs'\n")
  write('tools/rules.mjs', 'export {}')
  write('tools/unrelated.mjs', 'export {}')
  write('package.json', { scripts: { test: 'vitest' } })
  const handlers = readClaudeHooks({ root, home }).flatMap(source => source.handlers)
  expect(hookScripts(handlers, root).map(({ path }) => path)).toEqual([
    '.claude/hooks/check.sh',
    '.claude/hooks/other.sh',
    'package.json scripts',
    'tools/lint.mjs',
    'tools/rules.mjs',
  ])
})

test('a command is filled in as Claude does it', () => {
  write(
    '.claude/commands/git/fix.md',
    '---\ndescription: Fixes it\nargument-hint: "[issue]"\n---\nFix $0 and $ARGUMENTS[1]. \\$1.00 $5',
  )
  write('.claude/commands/plain.md', 'Look around.')
  write('.claude/commands/named.md', '---\narguments: [issue, branch]\n---\n$issue on $branch: $ARGUMENTS')
  write('home/commands/plain.md', 'Mine.')
  const [plain, fix, named] = claudeCommands({ root, home })
  expect(fix).toMatchObject({ name: 'git:fix', description: 'Fixes it', argumentHint: '[issue]', from: 'project' })
  expect(plain).toMatchObject({ name: 'plain', from: 'user', prompt: 'Mine.' })
  expect(fix && fillClaudeCommand(fix, '"one two" three')).toBe('Fix one two and three. $1.00 $5')
  expect(plain && fillClaudeCommand(plain, 'x')).toBe('Mine.\n\nARGUMENTS: x')
  expect(named && fillClaudeCommand(named, '7')).toBe('7 on : 7')
})

test('sub-agents have tools under our names', () => {
  write(
    '.claude/agents/deep/reviewer.md',
    '---\nname: reviewer\ndescription: >\n  Reviews\n  code.\ntools: Read, Grep, Bash(git *)\ndisallowedTools:\n  - Write\nmaxTurns: 3\n---\nYou review.',
  )
  write('.claude/agents/nameless.md', 'Nothing.')
  expect(readClaudeAgents({ root, home })).toEqual([
    {
      name: 'reviewer',
      description: 'Reviews code.',
      instructions: 'You review.',
      tools: ['read_file', 'search_files', 'shell'],
      disallowedTools: ['write_file'],
      maxSteps: 3,
      from: 'project',
    },
  ])
})

test('skills name their folder, and those that only a person may use are left out', () => {
  write('.claude/skills/release/SKILL.md', '---\ndescription: How to release\n---\n1. Tag it.')
  write('.claude/skills/release/notes.md', 'Not a skill.')
  write('.claude/skills/secret/SKILL.md', '---\nname: secret\ndescription: x\ndisable-model-invocation: true\n---\nNo.')
  expect(claudeSkills({ root, home })).toEqual([
    {
      name: 'release',
      description: 'How to release',
      instructions: `Its files are in ${join(root, '.claude/skills/release')}.\n\n1. Tag it.`,
    },
  ])
})

test('CLAUDE.md imports files of the project, outside of code, each once', async () => {
  write(
    'CLAUDE.md',
    'See @docs/style.md and `@docs/code.md`.\n```\n@docs/code.md\n```\n@/etc/passwd @~/x @docs/style.md me@docs/style.md',
  )
  write('docs/style.md', 'Be brief. @more.md')
  write('docs/more.md', 'And kind. @style.md')
  write('docs/code.md', 'CODE')
  expect(await readClaudeInstructions(root, 'CLAUDE.md')).toBe(
    'See Be brief. And kind.  and `@docs/code.md`.\n```\n@docs/code.md\n```\n@/etc/passwd @~/x  me@docs/style.md',
  )
  write('.claude/rules/all.md', '---\ndescription: x\n---\nA rule.')
  write('.claude/rules/some.md', '---\npaths: ["src/**"]\n---\nA rule for some.')
  expect(claudeInstructionFiles(root)).toEqual([
    'CLAUDE.md',
    '.claude/CLAUDE.md',
    '.claude/rules/all.md',
    'CLAUDE.local.md',
  ])
  expect(await readClaudeInstructions(root, '.claude/rules/all.md')).toBe('A rule.')
})

test('a link out of the project is not followed', async () => {
  write('outside.md', 'SECRET')
  const inside = join(root, 'inside')
  mkdirSync(join(inside, '.claude', 'commands'), { recursive: true })
  symlinkSync(join(root, 'outside.md'), join(inside, '.claude', 'commands', 'x.md'))
  symlinkSync(join(root, 'outside.md'), join(inside, 'CLAUDE.md'))
  expect(claudeCommands({ root: inside, home: false })).toEqual([])
  await expect(readClaudeInstructions(inside, 'CLAUDE.md')).rejects.toMatchObject({ code: 'path.outside' })
})

test('.mcp.json gives servers, and their variables when they are started', () => {
  const url = { type: 'http', url: `https://$\{HOST:-localhost}/mcp`, headers: { authorization: `Bearer $\{TOKEN}` } }
  write('.mcp.json', { mcpServers: { db: { command: 'db', args: ['--x'] }, web: url, odd: {} } })
  const servers = claudeMcpServers(root)
  expect(servers.db).toEqual({ command: 'db', args: ['--x'] })
  expect(Object.keys(servers)).toEqual(['db', 'web'])
  const web = servers.web ?? { command: '' }
  expect(fillMcpVariables(web, { TOKEN: 't' })).toEqual({
    url: 'https://localhost/mcp',
    headers: { authorization: 'Bearer t' },
  })
  expect(() => fillMcpVariables(web, {})).toThrow('TOKEN')
})
