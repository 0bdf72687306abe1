import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { createAgent, type FilePart, type Message, tool } from 'turnbuckle'
import { aiSdk } from 'turnbuckle/ai-sdk'
import { readStructured, structured } from 'turnbuckle/middleware'
import { sqliteStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { providers } from './providers.ts'
import { checkRequest } from './strict-requests.ts'

const mock = new LLMock({ port: 0, logLevel: 'silent' })
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-'))
  await mock.start()
})
beforeEach(() => void mock.reset())
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await mock.stop()
})

const bytes = (text: string) => new TextEncoder().encode(text)
const file = (mediaType: string, data: FilePart['data'], name?: string): FilePart => ({
  type: 'file',
  mediaType,
  data,
  ...(name ? { name } : {}),
})
const Weather = z.object({ city: z.string(), celsius: z.number() })

describe.each(providers)('$name', ({ name, protocol, make }) => {
  let bodies: string[] = []
  beforeEach(() => {
    bodies = []
  })
  /** Every request that leaves is checked and remembered. */
  const spied: typeof fetch = (input, init) => {
    bodies.push(String(init?.body))
    checkRequest(protocol, JSON.parse(String(init?.body)))
    return fetch(input, init)
  }
  const model = () => aiSdk(make(mock.url, spied))

  test.each<{ what: string; part: FilePart; sends: string }>([
    { what: 'bytes of an image', part: file('image/png', bytes('an image')), sends: btoa('an image') },
    { what: 'Base64 of an image', part: file('image/jpeg', btoa('a photo')), sends: btoa('a photo') },
    {
      what: 'a data URL',
      part: file('image/png', `data:image/png;base64,${btoa('a picture')}`),
      sends: btoa('a picture'),
    },
    { what: 'a text file', part: file('text/markdown', bytes('# Notes'), 'notes.md'), sends: 'notes.md:\\n# Notes' },
    { what: 'JSON', part: file('application/json', bytes('[42]')), sends: '[42]' },
    { what: 'a PDF', part: file('application/pdf', bytes('%PDF-1.7'), 'report.pdf'), sends: btoa('%PDF-1.7') },
  ])('$what of the person reaches the model', async ({ part, sends }) => {
    mock.on({}, { content: 'I see.' })
    const agent = createAgent({ model: model() })
    const result = await agent.send({ role: 'user', content: [{ type: 'text', text: 'Look.' }, part] })
    expect(result).toMatchObject({ status: 'completed', text: 'I see.' })
    expect(bodies[0]).toContain(sends)
  })

  test('an attachment is there after a restart', async () => {
    mock.on({}, { content: 'I see.' })
    const path = join(folder, `${name.replace(/\W+/g, '-')}.db`)
    const first = sqliteStore(path)
    const chat = createAgent({ model: model(), store: first }).conversation()
    await chat.send({
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        file('image/png', bytes('an image')),
        file('image/png', btoa('other')),
      ],
    })
    await first.close()
    const second = sqliteStore(path)
    const again = createAgent({ model: model(), store: second }).conversation(chat.id)
    await again.send('And now?')
    expect(again.messages).toHaveLength(4)
    expect(bodies[1]).toContain(btoa('an image'))
    expect(bodies[1]).toContain(btoa('other'))
    await second.close()
  })

  test('an answer that fits a schema, after a repair', async () => {
    mock.on({ userMessage: 'does not fit' }, { content: '{"city":"Oslo","celsius":21}' })
    mock.on({}, { content: '{"city":"Oslo","celsius":"warm"}' })
    const use = [structured(Weather)]
    const result = await createAgent({ model: model(), use }).send('Weather in Oslo?')
    expect(await readStructured(result, Weather)).toEqual({ city: 'Oslo', celsius: 21 })
    expect(bodies).toHaveLength(2)
    for (const body of bodies) expect(body).toMatch(/celsius/)
  })

  test('an answer that fits a schema, with tools before it', async () => {
    const look = tool({ name: 'look', run: () => '21 degrees' })
    const answered = ({ messages }: { messages: readonly { role: string }[] }) =>
      messages.some(({ role }) => role === 'tool')
    mock.on({ predicate: answered }, { content: '```json\n{"city":"Oslo","celsius":21}\n```' })
    mock.on({}, { toolCalls: [{ name: 'look', arguments: { city: 'Oslo' } }] })
    const values: unknown[] = []
    const use = [structured(Weather, { onValue: value => values.push(value) })]
    const { status, messages } = await createAgent({ model: model(), tools: [look], use }).send('Weather in Oslo?')
    expect(status).toBe('completed')
    expect(messages.map(({ role }: Message) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(values).toEqual([{ city: 'Oslo', celsius: 21 }])
  })
})
