import { createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type LoggingOptions, type LogLevel, logging } from './logging.ts'

const look = tool({ name: 'look', run: () => 'secret' })
const broken = tool({ name: 'broken', run: () => Promise.reject(new Error('no')) })
type Line = { level: LogLevel; message: string; fields: Readonly<Record<string, unknown>> }

async function lines(script: Parameters<typeof scriptedModel>[0], options: LoggingOptions = {}): Promise<Line[]> {
  const found: Line[] = []
  const logger = (level: LogLevel, message: string, fields: Line['fields']) =>
    void found.push({ level, message, fields })
  const fails = middleware({ name: 'fails', afterDecide: () => Promise.reject(new Error('oops')) })
  const agent = createAgent({
    model: scriptedModel(script),
    tools: [look, broken],
    use: [logging({ logger, ...options }), fails],
  })
  await agent.send('hi').settled
  return found
}
const short = (all: Line[]) => all.map(({ level, message }) => `${level}: ${message}`)
const twoTools = { calls: [{ name: 'look' }, { name: 'broken' }] }

describe('logging', () => {
  test.each([
    {
      name: 'a turn with tools',
      script: [twoTools, 'done'],
      says: [
        'info: model replied',
        'info: tool look ok',
        'warn: tool broken error',
        'warn: hook afterDecide of fails failed',
        'info: model replied',
        'warn: hook afterDecide of fails failed',
        'info: turn completed',
      ],
    },
    {
      name: 'only warnings',
      level: 'warn' as const,
      script: [twoTools, 'done'],
      says: [
        'warn: tool broken error',
        'warn: hook afterDecide of fails failed',
        'warn: hook afterDecide of fails failed',
      ],
    },
    {
      name: 'a failed turn',
      script: [{ error: new Error('down') }],
      says: ['error: model failed', 'error: turn failed'],
    },
  ])('$name', async ({ script, level, says }) => {
    expect(short(await lines(script, level ? { level } : {}))).toEqual(says)
  })

  test.each([
    { content: false, shown: false },
    { content: true, shown: true },
  ])('what was said is logged only when asked for: $content', async ({ content, shown }) => {
    const all = await lines([{ calls: [{ name: 'look' }] }, 'the answer'], { content })
    expect(JSON.stringify(all).includes('secret')).toBe(shown)
    expect(JSON.stringify(all).includes('the answer')).toBe(shown)
  })

  test('debug tells every stage and hook', async () => {
    const all = short(await lines(['done'], { level: 'debug' }))
    expect(all).toContain('debug: stage decide')
    expect(all).toContain('debug: hook afterDecide of fails')
  })

  test('times are told', async () => {
    const clock = virtualClock()
    const found: unknown[] = []
    const logger = (_level: LogLevel, message: string, { ms }: { readonly ms?: unknown }) =>
      void found.push([message, ms])
    const model = scriptedModel([{ text: 'done', delayMs: 30 }], { clock })
    const turn = createAgent({ model, clock, use: [logging({ logger })] }).send('hi')
    await clock.advance(30)
    await turn
    expect(found).toEqual([
      ['model replied', 30],
      ['turn completed', 30],
    ])
  })

  test('a logger that throws stops nothing', async () => {
    const logger = () => {
      throw new Error('disk full')
    }
    const result = await createAgent({ model: scriptedModel(['done']), use: [logging({ logger })] }).send('hi')
    expect(result).toMatchObject({ status: 'completed', text: 'done' })
    const failed = await createAgent({
      model: scriptedModel([{ error: new Error('down') }]),
      use: [logging({ logger })],
    }).send('hi').settled
    expect(failed).toMatchObject({ status: 'failed', reason: 'down' })
  })

  test('a logger with methods will do', async () => {
    const found: string[] = []
    const write = (message: string) => void found.push(message)
    const logger = { debug: write, info: write, warn: write, error: write }
    await createAgent({ model: scriptedModel(['done']), use: [logging({ logger })] }).send('hi')
    expect(found).toEqual(['model replied', 'turn completed'])
  })
})
