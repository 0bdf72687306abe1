import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'

/** What each example prints; a text stands for a line that contains it. */
const examples: Record<string, readonly string[]> = {
  'hello.ts': ['offline', 'completed after 1 step'],
  'tools.ts': [
    'weather, ok: Sunny in Oslo',
    'read_file, ok: {',
    'read_file, error: "../../../etc/passwd" lies outside',
    'No umbrella',
  ],
  'approval.ts': ['ok: hello', 'blocked: The rule "shell(rm *)"', 'May I run "date > today"? No.', 'denied: Not now.'],
  'http-server.ts': [
    'POST /api/conversations 201',
    'POST /api/conversations/:id/turns 202',
    'GET /api/conversations/:id/events?after=0 200',
    'Hello from the server.',
  ],
  'next-route.ts': ['Hello from Next.js.', 'Hello again.', '4 messages'],
  'hono-route.ts': ['waits for a yes', 'paid It is paid.'],
  'express-route.ts': ['Hello from Express.'],
  'worker.ts': ['Hello from a worker.', 'In plain text.'],
  'their-tools.ts': ['weather: Sunny in Oslo', 'time: Noon in Oslo', 'A sunny noon.'],
  'interrupt.ts': [
    'interrupted: too slow',
    'without it',
    'user text',
    'assistant text, call',
    'tool interrupted',
    'user text',
    'assistant text',
  ],
  'fork-and-compare.ts': ['Roses are red. | Hereinafter', '4 messages here, 6 in the tree'],
  'resume-after-crash.ts': ['booking the train', 'booking the hotel', 'completed: Have a good trip.'],
  'counterfactual-replay.ts': [
    'sending to everyone',
    'same',
    'different block by narrow at beforeTool: too many people',
  ],
  'critic.ts': ['It is 21 °C. (2 steps)', 'again'],
  'mcp.ts': ['everything: ready', 'absent: failed', '42'],
  'sub-agents.ts': [
    'search: Three papers on knots.',
    'publish: Nothing is published.',
    'research: There are three papers',
    'I found three.',
  ],
  'custom-stage.ts': [
    'rude: false',
    'completed: What a nice question.',
    'rude: true',
    'stopped: Let me put that differently.',
  ],
}

const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))

afterEach(() => vi.restoreAllMocks())

test('every example is listed here', () => expect(files).toEqual(Object.keys(examples).sort()))

test.each(files)('%s is under 40 lines', name =>
  expect(
    readFileSync(`${import.meta.dirname}/${name}`, 'utf8')
      .trim()
      .split('\n').length,
  ).toBeLessThan(40),
)

test.each(Object.entries(examples))(
  '%s prints what it says',
  async (name, expected) => {
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...values) => {
      lines.push(values.map(value => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '))
    })
    await import(/* @vite-ignore */ `./${name}`)
    expect(lines).toEqual(expected.map(text => expect.stringContaining(text)))
  },
  60_000,
)
