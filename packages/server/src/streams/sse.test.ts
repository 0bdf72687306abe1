import { type CreateAgentOptions, finish, middleware, replace, stop, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { add, callsAdd } from '../../test/adding.ts'
import { readSse, seqs } from '../../test/read-sse.ts'
import { gate, type Served, serve } from '../../test/serve.ts'
import type { SocketClient } from '../../test/socket-client.ts'

/** What a test may do to a turn that runs. */
interface Talk {
  readonly server: Served
  readonly client: SocketClient
  readonly id: string
  readonly turnId: string
}
/** How each kind of event comes about, and what it has. */
interface Row {
  readonly fields: readonly string[]
  /** It is not in the log: who comes before it hears it, or only who comes after. */
  readonly unnumbered?: 'before' | 'after'
  readonly agent: () => CreateAgentOptions
  readonly meanwhile?: (talk: Talk) => Promise<unknown>
}

const says = (...replies: Parameters<typeof scriptedModel>[0]) => ({ model: scriptedModel(replies) })
const adds = () => ({ ...says(callsAdd, 'Five.'), tools: [add] })
const usage = { inputTokens: 3, outputTokens: 2, cost: 0.5 }
const asking = (options = {}) => ({
  ...says('Fine.'),
  use: [
    middleware({
      name: 'asks',
      beforeTurn: async ctx => void (await ctx.ask('colour', { question: 'Which?' }, options)),
    }),
  ],
})
const asked = async ({ client }: Talk): Promise<string> =>
  (await client.until(({ type }) => type === 'request.opened')).requestId
const answer = async (talk: Talk) =>
  talk.server.call('POST', `/api/requests/${await asked(talk)}/answer`, { choice: 'red' })
const change = ({ server, id }: Talk, body: object) => server.call('PATCH', `/api/conversations/${id}`, body)
const ended = ({ client }: Talk) => client.until(({ type }) => /^turn\.(?!started)/.test(type))

/** A tool that goes on until the test lets it end, whatever it is told. */
function stubborn(): { agent: CreateAgentOptions; letGo: () => void } {
  const held = gate()
  const slow = tool({ name: 'slow', run: () => held.opened.then(() => 'late') })
  return { agent: { ...says({ calls: [{ name: 'slow' }] }), tools: [slow] }, letGo: () => held.open() }
}
const slow = stubborn()
const clock = virtualClock()

const turnEnd = ['outcome', 'reason', 'by', 'text', 'usage', 'turnId']
const call = ['callId', 'name', 'turnId']
const request = ['requestId', 'kind', 'turnId']

const rows: Record<string, Row> = {
  'turn.started': { fields: ['turnId', 'parentId'], agent: () => says('Hi.') },
  'message.started': { fields: ['messageId', 'parentId', 'role', 'turnId'], agent: () => says('Hi.') },
  'message.delta': {
    fields: ['messageId', 'text', 'offset', 'turnId'],
    unnumbered: 'before',
    agent: () => says('Hi.'),
  },
  'message.text': {
    fields: ['messageId', 'text', 'offset', 'turnId'],
    unnumbered: 'after',
    agent: () => ({
      model: {
        id: 'halting',
        async *stream() {
          yield { type: 'text', text: 'half' }
          await new Promise(() => {})
        },
      },
    }),
    // Who comes in the middle of a reply.
    meanwhile: async ({ client, id }) => {
      await client.until(({ type }) => type === 'message.delta')
      await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
      await client.until(({ type }) => type === 'message.text')
    },
  },
  'message.added': { fields: ['messageId', 'parentId', 'role', 'message', 'turnId'], agent: () => says('Hi.') },
  'message.discarded': {
    fields: ['messageId', 'reason', 'turnId'],
    agent: () => ({
      ...says({ text: 'Half', error: new Error('overloaded') }, 'Whole.'),
      use: [middleware({ name: 'again', wrapModel: (_, next) => next().catch(() => next()) })],
    }),
  },
  'message.replaced': {
    fields: ['messageId', 'message', 'turnId'],
    // The end of the call was told with another result.
    agent: () => ({ ...adds(), use: [middleware({ name: 'corrects', afterTools: () => replace([6]) })] }),
  },
  'tool.pending': { fields: [...call, 'args'], agent: adds },
  'tool.executing': { fields: [...call, 'args'], agent: adds },
  'tool.progress': {
    fields: [...call, 'percent'],
    agent: () => ({
      ...says(callsAdd, 'Five.'),
      tools: [
        tool({ name: 'add', run: (_, ctx) => ctx.emit({ type: 'tool.progress', callId: ctx.call.id, percent: 50 }) }),
      ],
    }),
  },
  'tool.completed': { fields: [...call, 'status', 'result', 'durationMs'], agent: adds },
  'tool.failed': { fields: [...call, 'status', 'result', 'durationMs'], agent: () => says(callsAdd, 'There is none.') },
  'tool.late': {
    fields: ['callId', 'turnId'],
    agent: () => slow.agent,
    meanwhile: async talk => {
      await talk.client.until(({ type }) => type === 'tool.executing')
      await talk.client.ask({ type: 'interrupt', turnId: talk.turnId })
      await ended(talk)
      slow.letGo()
    },
  },
  'request.opened': { fields: [...request, 'payload', 'deadline'], agent: asking, meanwhile: answer },
  'request.answered': { fields: [...request, 'decision'], agent: asking, meanwhile: answer },
  'request.expired': {
    fields: [...request, 'reason'],
    agent: () => ({ ...asking({ timeout: 1000, fallback: 'none' }), clock }),
    meanwhile: async talk => {
      await asked(talk)
      await clock.advance(1000)
    },
  },
  'interjection.queued': {
    fields: ['text', 'turnId'],
    agent: asking,
    meanwhile: async talk => {
      await asked(talk)
      await talk.client.ask({ type: 'interject', turnId: talk.turnId, text: 'and' })
      await answer(talk)
    },
  },
  'interjection.applied': {
    fields: ['text', 'messageId', 'turnId'],
    agent: () => ({ ...asking(), ...says('Fine.', 'And that.') }),
    meanwhile: async talk => {
      await asked(talk)
      await talk.client.ask({ type: 'interject', turnId: talk.turnId, text: 'and' })
      await answer(talk)
    },
  },
  'history.edited': {
    fields: ['from', 'to', 'turnId'],
    agent: () => ({
      ...says('Hi.'),
      use: [
        middleware({
          name: 'editor',
          beforeModel: ctx => {
            const { id } = ctx.messages.at(-1) ?? { id: '' }
            ctx.messages.replace(id, { role: 'user', content: [{ type: 'text', text: 'Changed.' }] })
          },
        }),
      ],
    }),
  },
  'head.moved': {
    fields: ['from', 'to'],
    agent: () => says('Hi.'),
    meanwhile: async talk => {
      await ended(talk)
      await change(talk, { head: talk.client.frames.find(({ type }) => type === 'message.added').messageId })
    },
  },
  'title.changed': {
    fields: ['from', 'to'],
    agent: () => says('Hi.'),
    meanwhile: talk => change(talk, { title: 'Greetings' }),
  },
  'hook.failed': {
    fields: ['name', 'point', 'error', 'turnId'],
    agent: () => ({
      ...says('Hi.'),
      use: [
        middleware({
          name: 'clumsy',
          afterModel: () => {
            throw new Error('oh')
          },
        }),
      ],
    }),
  },
  'middleware.changed': {
    fields: ['name', 'enabled'],
    agent: () => ({ ...says('Hi.'), use: [middleware({ name: 'idle', afterTurn: () => {} })] }),
    meanwhile: async talk => {
      await ended(talk)
      await talk.server.call('PATCH', '/api/middleware/idle', { enabled: false })
    },
  },
  usage: {
    fields: ['messageId', 'inputTokens', 'outputTokens', 'cost', 'total', 'turnId'],
    agent: () => says({ text: 'Hi.', usage }),
  },
  'turn.completed': {
    fields: turnEnd,
    agent: () => ({ ...says('Hi.'), use: [middleware({ name: 'done', afterModel: () => finish('enough') })] }),
  },
  'turn.stopped': {
    fields: turnEnd,
    agent: () => ({ ...says('Hi.'), use: [middleware({ name: 'halt', beforeModel: () => stop('no more') })] }),
  },
  'turn.failed': { fields: [...turnEnd, 'error'], agent: () => says({ error: new Error('the provider is down') }) },
  'turn.interrupted': {
    fields: turnEnd,
    agent: asking,
    meanwhile: async talk => {
      await asked(talk)
      await talk.server.call('POST', `/api/turns/${talk.turnId}/interrupt`)
    },
  },
}

test.each(Object.entries(rows))('%s comes over WebSocket and server-sent events alike', async (type, row) => {
  const server = await serve(row.agent())
  const id = await server.newConversation()
  const client = await server.follow(id)
  const read = (opened?: () => void) => readSse(server, id, `"type":"${type}"`, {}, opened)
  const opened = gate()
  const early = row.unnumbered === 'after' ? opened.open() : read(() => opened.open())
  await opened.opened
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'go' })
  await row.meanwhile?.({ server, client, id, turnId })
  const event = await client.until(frame => frame.type === type)
  expect(event).toMatchObject({ conversationId: id, at: expect.any(Number) })
  for (const field of row.fields) expect(event).toHaveProperty(field)
  expect('seq' in event).toBe(!row.unnumbered)
  const line = (await (early ?? read())).at(-1) ?? ''
  expect(JSON.parse(line.slice('data: '.length))).toEqual(row.unnumbered ? { ...event, at: expect.any(Number) } : event)
})

test('server-sent events replay from after and honour Last-Event-ID', async () => {
  const server = await serve({ model: scriptedModel(['Hello']) })
  const id = await server.newConversation()
  const live = readSse(server, id, 'turn.completed')
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'hi' })
  const all = seqs(await live)
  expect(all).toEqual(all.map((_, i) => i + 1))
  const last = await readSse(server, id, 'turn.completed', { 'last-event-id': '2' })
  expect(seqs(last)[0]).toBe(3)
  expect((await server.call('GET', `/api/conversations/${id}/events?after=x`)).status).toBe(400)
})
