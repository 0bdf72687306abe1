import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createAgent, offline } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandHelp } from '../src/command-line/command-help.ts'
import { commandTable } from '../src/command-table.ts'
import { run } from './run-program.ts'
import { Place } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

const idOf = (text: string) => /conv_[\w-]+/.exec(text)?.[0] ?? ''

describe('conversations', () => {
  test('are listed, shown, drawn, exported and deleted', async () => {
    await run(place, ['run', 'what is 6*7'])
    const { out: listed } = await run(place, ['list'])
    const id = idOf(listed)
    expect(listed).toContain('what is 6*7')
    expect((await run(place, ['show', id])).out).toContain('6*7 is 42.')
    expect((await run(place, ['tree', id])).out).toContain('You: what is 6*7')
    expect((await run(place, ['export', id, '--format', 'md'])).out).toContain('6*7 is 42.')
    place.put('talk.json', (await run(place, ['export', id])).out)
    expect((await run(place, ['delete', id, '--yes'])).code).toBe(0)
    expect((await run(place, ['show', id])).code).toBe(2)
    const { out: imported } = await run(place, ['import', 'talk.json'])
    expect((await run(place, ['show', idOf(imported).replace(/\.$/, '')])).out).toContain('6*7 is 42.')
  })

  test('what is deleted leaves nothing: no sub-agent, no timeline, nothing that was allowed for it', async () => {
    await run(place, ['run', 'what is 6*7'])
    const folder = join(place.home, 'conversations')
    const open = () => sqliteStore(join(folder, readdirSync(folder).find(name => name.endsWith('.db')) ?? ''))
    const store = open()
    const helper = createAgent({ model: offline(), store })
    const calls = { calls: [{ name: 'helper', args: { task: 'what is 1+1' } }] }
    const model = scriptedModel([calls, 'Two.'])
    const tools = [agentTool(helper, { name: 'helper' })]
    await createAgent({ model, tools, store }).conversation('conv_x').send('Ask the helper.')
    await store.close()
    const grant = { scope: 'conversation', tool: 'shell', decision: 'allow', pattern: 'shell *', createdAt: 0 }
    const grants = ['conv_x', 'conv_y'].map(conversationId => ({ ...grant, id: `g.${conversationId}`, conversationId }))
    place.putHome('permissions.json', JSON.stringify(grants))
    const { out } = await run(place, ['list'])
    for (const id of ['conv_x', ...(out.match(/conv_[\w-]{8,}/g) ?? [])]) await run(place, ['delete', id, '--yes'])
    const left = open()
    expect([await left.list(), await left.turns({}), await left.entries('trace')]).toEqual([[], [], []])
    await left.close()
    expect((await run(place, ['permissions', 'list'])).out).toMatch(/^g\.conv_y .*\n$/)
  })

  test('a turn is explained and traced from another process', async () => {
    place.configure({ middleware: [{ use: 'step-limit', options: { max: 1 } }] })
    const { out } = await run(place, ['run', 'what is 1+1', '--json'])
    const { turnId } = JSON.parse(out.split('\n')[0] ?? '') as { turnId: string }
    expect((await run(place, ['explain', turnId])).out).toContain('✓ stop by step-limit at beforeStep')
    const { out: trace } = await run(place, ['trace', turnId])
    expect(trace).toMatch(/beforeStep · step-limit .*→ stop/)
    expect(trace).toMatch(/^turn +█/m)
  })

  test.each([
    { what: 'nothing that decides', module: `middleware({ name: 'own' })`, code: 0, says: 'same' },
    {
      what: 'a stop',
      module: `middleware({ name: 'own', beforeTool: () => stop('no') })`,
      code: 1,
      says: '+ stop by own',
    },
    {
      what: 'other arguments',
      module: `middleware({ name: 'own', beforeTool: ctx => { ctx.call = { ...ctx.call, args: { expression: '2+2' } } } })`,
      code: 3,
      says: 'diverged',
    },
  ])('a replay with $what ends with $code', async ({ module, code, says }) => {
    const { out } = await run(place, ['run', 'what is 1+1', '--json'])
    const { turnId } = JSON.parse(out.split('\n')[0] ?? '') as { turnId: string }
    place.put('own.ts', `import { middleware, stop } from 'turnbuckle'\nexport default ${module}`)
    const replayed = await run(place, ['replay', turnId, '--with', './own.ts'])
    expect(replayed.out).toContain(says)
    expect(replayed.code).toBe(code)
  })

  test.each([
    { what: 'a module that fails', args: ['--with', './own.ts'], says: 'own.ts failed when it was loaded: broken' },
    { what: 'a module that is not there', args: ['--with', './none.ts'], says: 'none.ts cannot be read' },
    { what: 'nothing to replay it with', args: [], says: 'With which middleware?' },
  ])('a replay with $what ends with 2: 1 would say that a decision differs', async ({ args, says }) => {
    const { out } = await run(place, ['run', 'what is 1+1', '--json'])
    const { turnId } = JSON.parse(out.split('\n')[0] ?? '') as { turnId: string }
    place.put('own.ts', `throw new Error('broken')`)
    const { code, err } = await run(place, ['replay', turnId, ...args])
    expect(err).toContain(says)
    expect(code).toBe(2)
  })

  test.each([
    { what: 'a scripted judge stands in', judge: `scriptedModel(['ACCEPT'])`, code: 0, says: 'same' },
    {
      what: 'no model stands in',
      judge: `() => 'ACCEPT'`,
      code: 2,
      says: 'replay({ models: { "judge": … } }) is no model',
    },
  ])('where $what for a model, a replay ends with $code', async ({ judge, code, says }) => {
    const { out } = await run(place, ['run', 'what is 1+1', '--json'])
    const { turnId } = JSON.parse(out.split('\n')[0] ?? '') as { turnId: string }
    const module = `import { critic } from 'turnbuckle/middleware'
      import { scriptedModel } from 'turnbuckle/testing'
      export default critic(scriptedModel([], { id: 'judge' }))
      export const models = { judge: ${judge} }`
    place.put('own.ts', module)
    const replayed = await run(place, ['replay', turnId, '--with', './own.ts'])
    expect(replayed.out + replayed.err).toContain(says)
    expect(replayed.code).toBe(code)
  })

  test('a replay of the whole store names what differs, writes a page, and ends with the worst', async () => {
    place.put('AGENTS.md', 'Use tabs.')
    await run(place, ['run', 'what is 1+1'])
    await run(place, ['run', 'write a.txt: bread'])
    place.put('AGENTS.md', 'Use spaces.')
    const noop = `import { middleware } from 'turnbuckle'\nexport default middleware({ name: 'noop' })`
    const strict = `import { block, middleware } from 'turnbuckle'
      export default middleware({ name: 'strict', tools: ['calculate'], beforeTool: () => block('no sums') })`
    place.put('noop.ts', noop)
    place.put('strict.ts', strict)
    const same = await run(place, ['replay', '--all', '--with', './noop.ts'])
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining('2 turns in 2 conversations: 2 same.') })
    const different = await run(place, ['replay', '--all', '--with', './strict.ts', '--html', 'report.html'])
    expect(different.code).toBe(1)
    expect(different.out).toContain('+ block by strict at beforeTool, step 0: no sums')
    expect(different.err).toContain('report.html')
    expect(readFileSync(join(place.project, 'report.html'), 'utf8')).toContain('1 same, 1 different')
    const without = await run(place, ['replay', '--all', '--without', 'approval'])
    expect(without).toMatchObject({ code: 1, out: expect.stringContaining('- block by approval') })
  })

  test.each([
    { args: ['replay', '--with', 'pii'], says: 'Which turn?' },
    { args: ['replay', '--all'], says: 'With which middleware?' },
    { args: ['replay', 'last', '--with', 'pii', '--html', 'x.html'], says: '--html is for --all' },
    { args: ['replay', '--all', '--without', 'nobody'], says: 'There is no middleware "nobody" to leave out' },
  ])('$args ends with 2', async ({ args, says }) => {
    const { code, err } = await run(place, args)
    expect(err).toContain(says)
    expect(code).toBe(2)
  })

  test('--continue goes on in the newest', async () => {
    await run(place, ['run', 'what is 1+1'])
    await run(place, ['run', 'what is 2+2', '--continue'])
    expect((await run(place, ['list'])).out.trim().split('\n')).toHaveLength(1)
  })

  test('the chat in a pipe answers line by line', async () => {
    const { out, code } = await run(place, ['chat'], { input: 'what is 1+1\nwhat is 2+2\n' })
    expect(code).toBe(0)
    expect(out).toMatch(/1\+1 is 2\.[\s\S]*2\+2 is 4\./)
  })
})

describe('mistakes are one line, with what to do, and end with 2', () => {
  test.each([
    { args: ['lst'], says: 'There is no command "lst". Did you mean "list"?' },
    { args: ['run', 'x', '--jsn'], says: 'There is no option "--jsn". Did you mean "--json"?' },
    { args: ['run', 'x', '--yes', '--deny'], says: 'exclude each other' },
    { args: ['show'], says: 'Usage: turnbuckle show ID' },
    { args: ['show', 'nothing'], says: 'There is no conversation "nothing"' },
    { args: ['explain', 'nothing'], says: 'There is no turn "nothing"' },
    { args: ['hooks', 'enabel'], says: 'Did you mean "enable"?' },
    { args: ['export', 'x', '--format', 'pdf'], says: 'There is no format "pdf"' },
    { args: ['permissions', 'revoke', 'x'], says: 'There is no permission "x"' },
    { args: ['serve', '--port', 'many'], says: '--port many' },
  ])('$args', async ({ args, says }) => {
    const { code, err } = await run(place, args)
    expect(err).toContain(says)
    expect(err).not.toMatch(/^\s+at /m)
    expect(code).toBe(2)
  })

  test('settings name the file, the line and the nearest key', async () => {
    place.put('turnbuckle.config.json', '{\n  // mine\n  "modle": "offline"\n}')
    const { code, err } = await run(place, ['run', 'x'])
    expect(err).toBe('turnbuckle: turnbuckle.config.json:3: unknown key "modle". Did you mean "model"?\n')
    expect(code).toBe(2)
  })
})

describe('help', () => {
  test.each(commandTable)('$name --help has an example', command => {
    expect(commandHelp(command)).toMatch(new RegExp(`Examples:\n  .*turnbuckle ${command.name}`))
  })

  test('--help goes to standard output', async () => {
    const { out, code } = await run(place, ['tree', '--help'])
    expect(out).toContain('turnbuckle tree ID')
    expect(code).toBe(0)
  })

  test.each(['bash', 'zsh', 'fish'])(
    'completion for %s names every command, and the shell can read it',
    async shell => {
      const { out } = await run(place, ['completion', shell])
      for (const { name } of commandTable) expect(out).toContain(name)
      place.put('completion', out)
      const { status, error, stderr } = spawnSync(shell, ['-n', join(place.project, 'completion')], {
        encoding: 'utf8',
      })
      // A shell that is not installed cannot read anything.
      if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return
      expect(stderr).toBe('')
      expect(status).toBe(0)
    },
  )

  test.each([
    { typed: ['turnbuckle', 'per'], completes: ['permissions'] },
    { typed: ['turnbuckle', 'hooks', 'e'], completes: ['enable'] },
    { typed: ['turnbuckle', 'run', '--'], completes: expect.arrayContaining(['--json', '--yes', '--deny', '--help']) },
    { typed: ['turnbuckle', '--v'], completes: ['--version'] },
  ])('bash completes $typed', async ({ typed, completes }) => {
    const { out } = await run(place, ['completion', 'bash'])
    const words = typed.map(word => `'${word}'`).join(' ')
    const script = `${out}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length - 1}; _turnbuckle; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    expect(stdout.trim().split('\n')).toEqual(completes)
  })

  test('a store that is damaged is read as far as it goes, and doctor, list and show say what is lost', async () => {
    place.configure({ store: 'sqlite:talk.db' })
    const { out } = await run(place, ['run', `say ${'many words '.repeat(2000)}`, '--json'])
    const path = join(place.project, 'talk.db')
    const log = `${path}-wal`
    const torn = existsSync(log) && statSync(log).size ? log : path
    truncateSync(torn, statSync(torn).size - 100)
    const said = /is open for reading only|are cut off/
    for (const command of [['doctor'], ['list'], ['show', idOf(out)]]) {
      const told = await run(place, command)
      expect(told.out + told.err, command[0]).toMatch(said)
    }
  })

  test('doctor says what is set up', async () => {
    const { out, code } = await run(place, ['doctor'])
    expect(out).toContain('Model: offline')
    expect(out).toContain('All is well.')
    expect(code).toBe(0)
  })
})
