import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as sdk from '@anthropic-ai/claude-agent-sdk'
import { LLMock } from '@copilotkit/aimock'
import { block, createAgent, type Event, type FilePart, middleware, type Tool, tool } from 'turnbuckle'
import { type ClaudeAgentOptions, claudeAgent } from 'turnbuckle/models'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

// The real SDK with its real program, which talks to a mock of Anthropic's API on this machine.
const mock = new LLMock({ port: 0, logLevel: 'silent' })
const home = mkdtempSync(join(tmpdir(), 'turnbuckle-claude-'))
let children: ChildProcess[] = []

/** In front of the mock, which forgets what it was sent beside text. */
let lastBody = ''
const door = createServer(async (request, response) => {
  const body = await text(request)
  lastBody = body
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(mock.url + request.url, { method: request.method ?? 'POST', headers, body })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(await answer.text())
})
const apiMessages = () => JSON.parse(lastBody).messages

beforeAll(async () => {
  await mock.start()
  await once(door.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => void mock.reset())
afterEach(async () => {
  await Promise.all(children.map(exited))
  children = []
})
afterAll(async () => {
  door.close()
  await mock.stop()
  rmSync(home, { recursive: true, force: true })
})

const exited = (child: ChildProcess) =>
  new Promise<void>(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

const model = (more: ClaudeAgentOptions = {}) =>
  claudeAgent(sdk, {
    model: 'claude-sonnet-4-5',
    ...more,
    options: {
      ...more.options,
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, 'config'),
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '0',
      },
      spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }: sdk.SpawnOptions) => {
        const child = spawn(command, args, {
          cwd,
          env: env as NodeJS.ProcessEnv,
          signal,
          stdio: ['pipe', 'pipe', 'ignore'],
        })
        child.on('error', () => {})
        children.push(child)
        return child
      },
    },
  })

const mine = (name: string) => `mcp__turnbuckle__${name}`
const weather = tool({
  name: 'weather',
  description: 'Tells the weather.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => `Sunny in ${String(city)}`,
})
const send = (tools: readonly Tool[], use: Parameters<typeof createAgent>[0]['use'] = []) =>
  createAgent({ model: model(), tools, use }).send('Weather?')
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const sent = (): string => JSON.stringify(mock.getLastRequest()?.body)

test('its calls pass our stages and hooks: a guard blocks one, and the model is told', async () => {
  const calls = ['Oslo', 'Rome'].map(city => ({ name: mine('weather'), arguments: { city } }))
  mock.on({ userMessage: 'Weather', hasToolResult: false }, { content: 'Let me see.', toolCalls: calls })
  mock.on({ hasToolResult: true }, { content: 'Sunny in Oslo.' })
  const seen: string[] = []
  const watch = middleware({
    name: 'watch',
    beforeTool: ctx => void seen.push(`before ${JSON.stringify(ctx.call.args)}`),
    afterTool: ctx => void seen.push(`after ${ctx.result.status}`),
  })
  const guard = middleware({
    name: 'no-rome',
    guard: true,
    beforeTool: ctx => ((ctx.call.args as { city: string }).city === 'Rome' ? block('Not Rome.') : undefined),
  })
  const turn = send([weather], [watch, guard])
  const types = new Set<string>()
  for await (const event of turn as AsyncIterable<Event>) types.add(event.type)
  const { status, text, messages, steps } = await turn
  expect({ status, text, steps }).toEqual({ status: 'completed', text: 'Sunny in Oslo.', steps: 2 })
  expect(seen).toEqual(['before {"city":"Oslo"}', 'before {"city":"Rome"}', 'after ok', 'after blocked'])
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
  expect([...types]).toEqual(
    expect.arrayContaining(['message.delta', 'tool.pending', 'tool.executing', 'tool.completed', 'tool.failed']),
  )
  expect(sent()).toContain('Sunny in Oslo')
  expect(sent()).toContain('Not Rome.')
})

test('the calls of one reply are one message and run side by side', async () => {
  const toolCalls = ['a', 'b', 'c'].map(name => ({ name: mine('meet'), arguments: { name } }))
  mock.on({ userMessage: 'Meet', hasToolResult: false }, { content: 'All at once.', toolCalls })
  mock.on({ hasToolResult: true }, { content: 'They met.' })
  const waiting: (() => void)[] = []
  // None returns before all are there.
  const meet = tool({
    name: 'meet',
    run: () =>
      new Promise<string>(resolve => {
        waiting.push(() => resolve('met'))
        if (waiting.length === toolCalls.length) for (const go of waiting) go()
      }),
  })
  const { text, messages } = await createAgent({ model: model(), tools: [meet] }).send('Meet')
  expect(text).toBe('They met.')
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'assistant'])
})

test('with parallel: false no tool says that it only reads, and the calls of a reply come one by one', async () => {
  const toolCalls = ['a', 'b'].map(name => ({ name: mine('alone'), arguments: { name } }))
  mock.on({ userMessage: 'Meet', hasToolResult: false }, { content: 'One by one.', toolCalls })
  mock.on({ hasToolResult: true }, { content: 'Done.' })
  let running = 0
  const alone = tool({
    name: 'alone',
    async run() {
      const beside = running++
      await new Promise(setImmediate)
      running--
      return `beside ${beside}`
    },
  })
  const { text, messages } = await createAgent({ model: model({ parallel: false }), tools: [alone] }).send('Meet')
  expect(text).toBe('Done.')
  expect(JSON.stringify(messages)).not.toContain('beside 1')
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'])
})

test('a tool that is not ours does not run', async () => {
  const toolCalls = [{ name: 'Bash', arguments: { command: `touch ${home}/made` } }]
  mock.on({ userMessage: 'Weather', hasToolResult: false }, { toolCalls })
  mock.on({ hasToolResult: true }, { content: 'I could not.' })
  const { status, text, messages } = await send([weather])
  expect({ status, text, messages: messages.length }).toEqual({
    status: 'completed',
    text: 'I could not.',
    messages: 2,
  })
  expect(sent()).toMatch(/No such tool|not available|not enabled/i)
})

test.each<{ options: ClaudeAgentOptions['options'] }>([
  { options: {} },
  { options: { allowedTools: [mine('weather')] } },
  { options: { permissionMode: 'bypassPermissions' } },
])(
  'the SDK asks us about every call and has no warning for us, whatever its options are: $options',
  async ({ options = {} }) => {
    const warnings: Error[] = []
    const hear = (warning: Error) => void warnings.push(warning)
    process.on('warning', hear)
    mock.on({ hasToolResult: true }, { content: 'Sunny.' })
    mock.onMessage('Weather', { toolCalls: [{ name: mine('weather'), arguments: { city: 'Oslo' } }] })
    const { text } = await createAgent({ model: model({ options }), tools: [weather] }).send('Weather?')
    process.off('warning', hear)
    expect({ text, warnings }).toEqual({ text: 'Sunny.', warnings: [] })
  },
)

test('pictures reach the API as such, text files as text, others by name; in later turns pictures by name too', async () => {
  const picture: FilePart = { type: 'file', mediaType: 'image/png', data: pixel, name: 'dot.png' }
  const notes: FilePart = { type: 'file', mediaType: 'text/plain', data: btoa('Buy milk.'), name: 'notes.txt' }
  const all = { ...picture, mediaType: 'application/zip', name: 'all.zip' }
  const look = tool({ name: 'look', run: () => ['Here:', picture, notes, all] })
  mock.onMessage('Sure', { content: 'Yes.' })
  mock.on({ hasToolResult: true }, { content: 'A dot.' })
  mock.onMessage('Look', { toolCalls: [{ name: mine('look'), arguments: {} }] })
  const conversation = createAgent({ model: model(), tools: [look] }).conversation()
  const content = [{ type: 'text' as const, text: 'Look!' }, picture, notes]
  expect(await conversation.send({ role: 'user', content })).toMatchObject({ text: 'A dot.' })
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
  const [asked, , shown] = apiMessages()
  expect(asked.content).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: 'Look!' }),
      expect.objectContaining(image),
      expect.objectContaining({ text: 'notes.txt:\nBuy milk.' }),
    ]),
  )
  expect(shown.content[0].content).toMatchObject([
    { type: 'text', text: 'Here:' },
    image,
    { text: 'notes.txt:\nBuy milk.' },
    { text: expect.stringContaining('[all.zip: a file that cannot be shown to Claude]') },
    { text: expect.stringContaining('system-reminder') },
  ])
  expect(await conversation.send('Sure?')).toMatchObject({ text: 'Yes.' })
  const later = JSON.stringify(apiMessages())
  expect(later).toContain('user attached [dot.png: a file that cannot be shown to you again]')
  expect(later).toContain('user attached notes.txt:\\nBuy milk.')
  expect(later).toContain('look (ok): [\\"Here:\\",\\"[dot.png]\\",\\"[notes.txt]\\"')
  expect(later).not.toContain(pixel)
})

test('an interrupt ends the turn, the call and the program', async () => {
  mock.onMessage('Weather', { toolCalls: [{ name: mine('wait'), arguments: {} }] })
  const turn = send([tool({ name: 'wait', run: () => new Promise(() => {}) })])
  for await (const event of turn as AsyncIterable<Event>) if (event.type === 'tool.executing') turn.interrupt()
  const { status, messages } = await turn
  expect(status).toBe('interrupted')
  expect(messages.at(-1)?.content).toMatchObject([{ type: 'result', status: 'interrupted' }])
  expect(children.length).toBe(1)
  await Promise.all(children.map(exited))
})

test('what a person or a program says meanwhile, and what was said before, is told', async () => {
  mock.onMessage('Sure', { content: 'As I said.' })
  mock.on({ hasToolResult: true }, { content: 'Sunny in Oslo.' })
  mock.onMessage('Weather', { toolCalls: [{ name: mine('weather'), arguments: { city: 'Oslo' } }] })
  const meanwhile = middleware({
    name: 'clerk',
    beforeTool(ctx) {
      ctx.turn.interject('Hurry up!')
      ctx.interject('The bus leaves.')
    },
  })
  const conversation = createAgent({ model: model(), tools: [weather], use: [meanwhile] }).conversation()
  expect(await conversation.send('Weather?')).toMatchObject({ status: 'completed', text: 'Sunny in Oslo.' })
  expect(sent()).toContain('The user says meanwhile: Hurry up!')
  expect(sent()).toContain('clerk says meanwhile: The bus leaves.')
  expect(await conversation.send('Sure?')).toMatchObject({ text: 'As I said.' })
  expect(sent()).toContain('assistant: Sunny in Oslo.')
})

test('an error of the provider fails the turn', async () => {
  mock.onMessage('Weather', { error: { message: 'No such key.', type: 'authentication_error' }, status: 401 })
  const { status, error } = await send([weather]).settled
  expect(status).toBe('failed')
  expect(error).toMatchObject({ code: 'model.failed' })
})

test('what it runs by itself is recorded and seen by after hooks, and a guard refuses it', async () => {
  writeFileSync(join(home, 'note.txt'), 'Buy milk.')
  mock.on(
    { userMessage: 'note', hasToolResult: false },
    { toolCalls: [{ name: 'Read', arguments: { file_path: join(home, 'note.txt') } }] },
  )
  mock.on({ hasToolResult: true }, { content: 'Milk.' })
  const seen: string[] = []
  const watch = middleware({
    name: 'watch',
    beforeTool: () => void seen.push('before'),
    afterTool: ctx => void seen.push(`after ${ctx.call.name} ${ctx.result.status}`),
  })
  const observing = createAgent({ model: model({ observe: ['Read'] }), use: [watch] })
  const { status, text, messages } = await observing.send('Read the note.')
  expect({ status, text, seen }).toEqual({ status: 'completed', text: 'Milk.', seen: ['after Read ok'] })
  expect(JSON.stringify(messages[2])).toContain('Buy milk.')
  const guard = middleware({ name: 'careful', guard: true, beforeTool: () => undefined })
  const guarded = createAgent({ model: model({ observe: ['Read'] }), use: [guard] })
  expect(await guarded.send('Read the note.').settled).toMatchObject({
    status: 'failed',
    error: { code: 'model.unguarded' },
  })
})
