import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commands } from '../src/command-table.ts'
import { helpFor } from '../src/help.ts'
import { run } from './run-program.ts'
import { Place, program } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

const put = (path: string, text: string) => {
  mkdirSync(join(place.project, path, '..'), { recursive: true })
  writeFileSync(join(place.project, path), text)
}
const config = (value: unknown) => put('turnbuckle.config.json', JSON.stringify(value))
const idOf = (text: string) => /conv_[\w-]+/.exec(text)?.[0] ?? ''

/** What the wire says of each event that a plain turn has. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'turn.started': ['parentId', 'seq'],
  'message.started': ['messageId', 'parentId', 'role', 'seq'],
  'message.delta': ['messageId', 'text', 'offset'],
  'message.added': ['messageId', 'parentId', 'role', 'message', 'seq'],
  'tool.pending': ['callId', 'name', 'args', 'seq'],
  'tool.executing': ['callId', 'name', 'args', 'seq'],
  'tool.progress': ['callId', 'name'],
  'tool.completed': ['callId', 'name', 'status', 'result', 'durationMs', 'seq'],
  'request.opened': ['requestId', 'kind', 'payload', 'deadline', 'seq'],
  'request.answered': ['requestId', 'kind', 'decision', 'seq'],
  usage: ['messageId', 'inputTokens', 'outputTokens', 'total', 'seq'],
  'turn.completed': ['outcome', 'reason', 'by', 'text', 'usage', 'seq'],
}

describe('run', () => {
  test('prints the reply on standard output and ends with 0', async () => {
    const { code, out } = await run(place, ['run', 'what is 17*23'])
    expect(code).toBe(0)
    expect(out).toContain('17*23 is 391.')
  })

  test('--json prints one event a line, as on the wire', async () => {
    const { out } = await run(place, ['run', 'what is 1+1; write a.txt: x; wait 0.1 seconds', '--json', '--yes'])
    const events = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(events[0]).toMatchObject({ type: 'turn.started', seq: 1, parentId: null })
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed', outcome: 'completed', by: 'model' })
    for (const event of events) {
      const fields = fieldsOf[String(event['type'])] ?? ['a type of the wire']
      expect(Object.keys(event)).toEqual(expect.arrayContaining(['conversationId', 'at', 'turnId', ...fields]))
    }
    const numbered = events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
    expect(numbered).toEqual(numbered.map((_, i) => i + 1))
    expect(events.filter(({ seq }) => seq === undefined).map(({ type }) => type)).toContain('message.delta')
  })

  test.each([
    { what: 'with a fallback', options: `{ fallback: 'blue' }`, code: 0, says: 'The colour is blue' },
    { what: 'without one', options: '{}', code: 1, says: 'Nobody answered the colour request' },
  ])('of a question that only a person can answer, $what: it ends with $code', async ({ options, code, says }) => {
    put(
      'own.ts',
      `import { middleware, skip } from 'turnbuckle'
export default middleware({ name: 'own', async beforeTurn(ctx) { return skip('The colour is ' + await ctx.ask('colour', {}, ${options})) } })`,
    )
    config({ middleware: [{ use: './own.ts' }] })
    await run(place, ['hooks', 'trust', '--yes'])
    const { out, err, code: ended } = await run(place, ['run', 'hello'])
    expect(out + err).toContain(says)
    expect(err).toContain('[colour: nobody is here to answer]')
    expect(ended).toBe(code)
  })

  test('reads the prompt from a pipe', async () => {
    const { out } = await run(place, ['run', '-'], { input: 'what is 2+3' })
    expect(out).toContain('2+3 is 5.')
  })

  test.each([
    { flags: ['--yes'], written: true },
    { flags: ['--deny'], written: false },
    { flags: [], written: false },
  ])('with $flags a file is written: $written', async ({ flags, written }) => {
    await run(place, ['run', 'write a.txt: hello', ...flags])
    expect(existsSync(join(place.project, 'a.txt'))).toBe(written)
  })

  test.each([
    {
      what: 'a stopped turn',
      settings: { middleware: [{ use: 'step-limit', options: { max: 1 } }] },
      prompt: 'what is 1+1',
      code: 3,
    },
    { what: 'a failed turn', settings: { model: 'anthropic/none' }, prompt: 'hello', code: 1 },
    { what: 'an empty prompt', settings: {}, prompt: ' ', code: 2 },
  ])('$what ends with $code', async ({ settings, prompt, code }) => {
    config(settings)
    expect((await run(place, ['run', prompt])).code).toBe(code)
  })

  test('an interrupted turn ends with 130', async () => {
    const child = spawn(process.execPath, [program, 'run', 'wait 60 seconds', '--json'], {
      cwd: place.project,
      env: place.env,
    })
    let out = ''
    child.stdout.on('data', data => {
      out += data
      // Once: a second one would end a program that is closing its store.
      if (!child.killed && out.includes('tool.executing')) child.kill('SIGINT')
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(code).toBe(130)
    expect(out).toContain('"turn.interrupted"')
  })

  test('a reader that goes away is no error', async () => {
    const child = spawn(process.execPath, [program, 'run', 'count to 500', '--json'], {
      cwd: place.project,
      env: place.env,
    })
    let err = ''
    child.stderr.on('data', data => {
      err += data
    })
    child.stdout.once('data', () => child.stdout.destroy())
    await new Promise(resolve => child.on('close', resolve))
    expect(err).toBe('')
  })
})

describe('conversations', () => {
  test('are listed, shown, drawn, exported and deleted', async () => {
    await run(place, ['run', 'what is 6*7'])
    const { out: listed } = await run(place, ['list'])
    const id = idOf(listed)
    expect(listed).toContain('what is 6*7')
    expect((await run(place, ['show', id])).out).toContain('6*7 is 42.')
    expect((await run(place, ['tree', id])).out).toContain('You: what is 6*7')
    expect((await run(place, ['export', id, '--format', 'md'])).out).toContain('6*7 is 42.')
    put('talk.json', (await run(place, ['export', id])).out)
    expect((await run(place, ['delete', id])).code).toBe(0)
    expect((await run(place, ['show', id])).code).toBe(2)
    const { out: imported } = await run(place, ['import', 'talk.json'])
    expect((await run(place, ['show', idOf(imported).replace(/\.$/, '')])).out).toContain('6*7 is 42.')
  })

  test('a turn is explained and traced from another process', async () => {
    config({ middleware: [{ use: 'step-limit', options: { max: 1 } }] })
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
    put('own.ts', `import { middleware, stop } from 'turnbuckle'\nexport default ${module}`)
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
    put('own.ts', `throw new Error('broken')`)
    const { code, err } = await run(place, ['replay', turnId, ...args])
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

describe('a project', () => {
  const hook = `import { middleware } from 'turnbuckle'
import { writeFileSync } from 'node:fs'
import { word } from './word.ts'
writeFileSync('ran.txt', word)
export default middleware({ name: 'own', beforeTurn: (ctx) => { writeFileSync('turn.txt', word) } })`

  beforeEach(() => {
    put('hooks/own.ts', hook)
    put('hooks/word.ts', `export const word: string = 'first'`)
    config({ middleware: [{ use: './hooks/own.ts' }] })
  })
  const ran = () => existsSync(join(place.project, 'ran.txt'))

  test('runs no hook that was not trusted, and says so', async () => {
    const { code, err } = await run(place, ['run', 'what is 1+1'])
    expect(code).toBe(0)
    expect(err).toContain('Not trusted, so not used: ./hooks/own.ts')
    expect(ran()).toBe(false)
  })

  test('runs a trusted hook', async () => {
    expect((await run(place, ['hooks', 'trust', '--yes'])).out).toContain('Trusted.')
    await run(place, ['run', 'what is 1+1'])
    expect(readFileSync(join(place.project, 'turn.txt'), 'utf8')).toBe('first')
    expect((await run(place, ['hooks', 'list'])).out).toMatch(/● own .*\.\/hooks\/own\.ts \(project\)/)
  })

  test('has to be trusted again when a file that a hook imports has changed', async () => {
    await run(place, ['hooks', 'trust', '--yes'])
    put('hooks/word.ts', `export const word: string = 'second'`)
    expect((await run(place, ['run', 'what is 1+1'])).err).toContain('Not trusted')
    expect(existsSync(join(place.project, 'turn.txt'))).toBe(false)
  })

  test('is not trusted without a terminal and without --yes', async () => {
    const { code, err } = await run(place, ['hooks', 'trust'])
    expect(code).toBe(2)
    expect(err).toContain('no terminal')
  })

  test('settings that are code are not run either', async () => {
    config({})
    rmSync(join(place.project, 'turnbuckle.config.json'))
    put(
      'turnbuckle.config.ts',
      `import { writeFileSync } from 'node:fs'\nwriteFileSync('ran.txt', '')\nexport default { model: 'offline' }`,
    )
    expect((await run(place, ['run', 'what is 1+1'])).err).toContain('Not trusted, so not used: turnbuckle.config.ts')
    expect(ran()).toBe(false)
    await run(place, ['hooks', 'trust', '--yes'])
    expect(ran()).toBe(true)
  })

  test('a middleware is switched off, and stays off', async () => {
    config({ middleware: [{ use: 'step-limit', options: { max: 1 } }] })
    expect((await run(place, ['hooks', 'disable', 'step-limit'])).code).toBe(0)
    expect((await run(place, ['run', 'what is 1+1'])).code).toBe(0)
    await run(place, ['hooks', 'enable', 'step-limit'])
    expect((await run(place, ['run', 'what is 1+1'])).code).toBe(3)
  })

  test('a time limit of the settings stands in the place of the one that is always there', async () => {
    const nets = async () => (await run(place, ['hooks', 'list'])).out.match(/^.*\b(trim|timeout)\b.*$/gm)
    expect(await nets()).toHaveLength(2)
    config({ model: 'compatible/slow', middleware: [{ use: 'timeout', options: { idle: 300 } }] })
    expect(await nets()).toHaveLength(2)
    const silent = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': still here\n\n')
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const env = { COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}`, COMPATIBLE_API_KEY: 'x' }
    const { code, err } = await run(place, ['run', 'hello'], { env })
    silent.closeAllConnections()
    silent.close()
    expect([code, err]).toEqual([1, expect.stringContaining('silent for 300 ms')])
  })

  test('cannot allow what the user has not', async () => {
    config({ permissions: { allow: ['*'] } })
    await run(place, ['run', 'write a.txt: hello'])
    expect(existsSync(join(place.project, 'a.txt'))).toBe(false)
  })

  test('can forbid what the user allows', async () => {
    writeFileSync(join(place.home, 'config.json'), '{ "permissions": { "allow": ["*"] } }')
    config({ permissions: { deny: ['write_file'] } })
    await run(place, ['run', 'write a.txt: hello', '--yes'])
    expect(existsSync(join(place.project, 'a.txt'))).toBe(false)
  })

  test('cannot bring conversations that nobody has trusted', async () => {
    config({ store: 'sqlite:talk.db' })
    put('talk.db', '')
    expect((await run(place, ['list'])).err).toContain('Not trusted, so not used: sqlite:talk.db')
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
    put('turnbuckle.config.json', '{\n  // mine\n  "modle": "offline"\n}')
    const { code, err } = await run(place, ['run', 'x'])
    expect(err).toBe('turnbuckle: turnbuckle.config.json:3: unknown key "modle". Did you mean "model"?\n')
    expect(code).toBe(2)
  })
})

describe('help', () => {
  test.each(commands)('$name --help has an example', command => {
    expect(helpFor(command)).toMatch(new RegExp(`Examples:\n  .*turnbuckle ${command.name}`))
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
      for (const { name } of commands) expect(out).toContain(name)
      const { status, error, stderr } = spawnSync(shell, ['-n'], { input: out, encoding: 'utf8' })
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
    config({ store: 'sqlite:talk.db' })
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
