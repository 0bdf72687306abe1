import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../test/run-program.ts'
import { Place, program } from '../../test/terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

/** What the wire says of each event that a plain turn has. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'turn.started': ['parentId', 'seq'],
  'message.started': ['messageId', 'parentId', 'role', 'seq'],
  'message.delta': ['messageId', 'text', 'offset'],
  'message.added': ['messageId', 'parentId', 'role', 'message', 'seq'],
  'tool.delta': ['callId', 'name', 'messageId', 'text', 'offset'],
  'tool.pending': ['callId', 'name', 'args', 'seq'],
  'tool.executing': ['callId', 'name', 'args', 'seq'],
  'tool.progress': ['callId', 'name'],
  'tool.completed': ['callId', 'name', 'status', 'result', 'durationMs', 'seq'],
  'request.opened': ['requestId', 'kind', 'payload', 'seq'],
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

  test('standard output has the last answer alone; calls and what was said before them are on standard error', async () => {
    const { out, err } = await run(place, ['run', 'what is 17*23; what is 2+2'])
    expect(out).not.toMatch(/calculate|offline/)
    expect(out).toMatch(/^17\*23 is 391\.[\s\S]*2\+2 is 4\.\n$/)
    expect(err).toMatch(/I will use calculate[\s\S]*\[calculate ok\]/)
  })

  test('standard input joins the prompt, behind it', async () => {
    await run(place, ['run', 'what is 2+3'], { input: 'and what is 3+4' })
    const { out: listed } = await run(place, ['list', '--json'])
    const { id } = JSON.parse(listed) as { id: string }
    expect((await run(place, ['show', id])).out).toMatch(
      /what is 2\+3\n+\s*and what is 3\+4[\s\S]*2\+3 is 5\.[\s\S]*3\+4 is 7\./,
    )
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
    place.put(
      'own.ts',
      `import { middleware, skip } from 'turnbuckle'
export default middleware({ name: 'own', async beforeTurn(ctx) { return skip('The colour is ' + await ctx.ask('colour', {}, ${options})) } })`,
    )
    place.configure({ middleware: [{ use: './own.ts' }] })
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
    { flags: ['--yes'], written: true, told: '"status":"ok"' },
    { flags: ['--deny'], written: false, told: 'has denied in advance' },
    { flags: [], written: false, told: 'Nobody is here to ask.' },
  ])('with $flags a file is written: $written', async ({ flags, written, told }) => {
    const { out } = await run(place, ['run', 'write a.txt: hello', '--json', ...flags])
    expect(existsSync(join(place.project, 'a.txt'))).toBe(written)
    expect(out).toContain(told)
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
    place.configure(settings)
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
    // Only the words on the offline model, which go to stderr.
    expect(err.replace(/^"offline" answers here\..*\n.*turnbuckle setup\n?/, '')).toBe('')
  })
})
