import { middleware, tool } from 'turnbuckle'
import {
  applyEvent,
  type Client,
  ClientError,
  type ConversationState,
  conversationState,
  createClient,
  exportText,
  type SocketConstructor,
} from 'turnbuckle/client'
import { importConversation, memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { gate, type Served, serve } from './serve.ts'

let server: Served
let client: Client
afterEach(() => client?.close())

/** Every socket a client opened, for the test to cut. */
const sockets: WebSocket[] = []
class Cuttable extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols)
    sockets.push(this)
  }
}

const connect = (token = 'secret') => {
  client = createClient({ url: server.url, token, WebSocket: Cuttable as unknown as SocketConstructor })
  return client
}

/** Follows a conversation as an app does, and waits for states. */
async function followed(id: string) {
  let state = conversationState(await client.conversation(id))
  const waiting = new Set<() => void>()
  client.follow(id, {
    after: state.seq,
    onEvent(event) {
      state = applyEvent(state, event)
      for (const check of waiting) check()
    },
  })
  return {
    until: (test: (state: ConversationState) => boolean) =>
      new Promise<ConversationState>(resolve => {
        const check = () => {
          if (!test(state)) return
          waiting.delete(check)
          resolve(state)
        }
        waiting.add(check)
        check()
      }),
  }
}
const over = (state: ConversationState) => state.turns.size > 0 && state.tips.size === 0

test('the state built from events is the state the server tells', async () => {
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('clarification', {})
    },
  })
  server = await serve({
    model: scriptedModel([{ text: 'Hello', usage: { inputTokens: 3, outputTokens: 2, cost: 0.5 } }]),
    use: [asks],
    clock: virtualClock(),
  })
  connect()
  const { id } = await client.createConversation()
  const { until } = await followed(id)
  await client.send(id, { text: 'hi' })
  const asked = await until(state => state.requests.length > 0)
  await client.answer(asked.requests[0]?.id ?? '', { choice: 1 })
  const live = await until(over)
  const told = conversationState(await client.conversation(id))
  expect(live.nodes).toEqual(told.nodes)
  expect(live.turns).toEqual(told.turns)
  expect(live).toMatchObject({ head: told.head, seq: told.seq, requests: [], stale: false })
  expect([...live.nodes.values()].at(-1)?.cost).toBe(0.5)
})

test('who opens a conversation in the middle of a turn gets the text so far, and the head moves along', async () => {
  const held = gate()
  const model = {
    id: 'slow',
    async *stream() {
      yield { type: 'text' as const, text: 'half ' }
      await held.opened
      yield { type: 'text' as const, text: 'whole' }
    },
  }
  server = await serve({ model })
  connect()
  const { id } = await client.createConversation()
  await client.send(id, { text: 'hi' })
  const { until } = await followed(id)
  const growing = await until(state => [...state.live.values()].some(({ text }) => text === 'half '))
  expect(growing.head).toBe([...growing.nodes.keys()].at(-1))
  held.open()
  const done = await until(over)
  expect(done.live.size).toBe(0)
  expect(done.nodes.get(done.head ?? '')?.message.content).toEqual([{ type: 'text', text: 'half whole' }])
})

test('a lost connection comes back by itself and misses nothing', async () => {
  server = await serve({ model: scriptedModel(['one', 'two']) })
  connect()
  const { id } = await client.createConversation()
  const { until } = await followed(id)
  await client.send(id, { text: 'a' })
  await until(over)
  const statuses: string[] = []
  client.onStatus(status => statuses.push(status))
  const back = new Promise<void>(resolve => client.onStatus(status => status === 'open' && resolve()))
  for (const socket of sockets) socket.terminate()
  await back
  await client.send(id, { text: 'b' })
  const state = await until(({ nodes }) => nodes.size === 4)
  expect([...state.nodes.values()].map(({ message }) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ])
  expect(statuses).toEqual(['offline', 'open'])
})

test('the list is watched: made, running, waiting, renamed, deleted', async () => {
  const held = gate()
  server = await serve({ model: scriptedModel([() => held.opened.then(() => 'hi')]) })
  connect()
  const changes: string[] = []
  let seen: () => void = () => {}
  client.watch(change => {
    changes.push(
      change.type === 'conversation.changed'
        ? `${change.conversation.title}/${change.conversation.running}`
        : 'deleted',
    )
    seen()
  })
  await new Promise<void>(resolve => client.onStatus(status => status === 'open' && resolve()))
  const until = (what: string) =>
    new Promise<void>(resolve => {
      seen = () => changes.includes(what) && resolve()
      seen()
    })
  const { id } = await client.createConversation('x')
  await until('x/false')
  await client.send(id, { text: 'hello' })
  await until('x/true')
  held.open()
  await until('x/false')
  await client.changeConversation(id, { title: 'y' })
  await until('y/false')
  await client.deleteConversation(id)
  await until('deleted')
})

test('errors carry the server’s code; a bad token is told as refused', async () => {
  server = await serve({ model: scriptedModel([]) })
  connect()
  await expect(client.conversation('none')).rejects.toMatchObject({ code: 'conversation.missing', status: 404 })
  await expect(client.conversation('none')).rejects.toBeInstanceOf(ClientError)
  client.close()
  connect('wrong')
  const refused = new Promise<string>(resolve => client.onStatus(status => status === 'refused' && resolve(status)))
  client.watch(() => {})
  expect(await refused).toBe('refused')
  const nobody = createClient({ url: 'http://127.0.0.1:1', token: 'x' })
  await expect(nobody.listConversations()).rejects.toMatchObject({ code: 'server.unreachable' })
})

test.each(['json', 'md'] as const)('an exported copy, %s, is imported into a store again', async format => {
  server = await serve({ model: scriptedModel([{ calls: [{ name: 'add', args: { a: 1, b: 2 } }] }, 'Three.']) })
  connect()
  const { id } = await client.createConversation('Sums')
  const { until } = await followed(id)
  await client.send(id, { text: 'add 1 and 2' })
  await until(over)
  const store = memoryStore()
  const imported = await importConversation(store, exportText(await client.exportConversation(id), format))
  const { head = '', title } = (await store.conversation(imported)) ?? {}
  const path = (await store.path(imported, head)).map(({ message }) => [message.role, message.content.at(-1)?.type])
  expect(title).toBe('Sums')
  expect(path).toEqual([
    ['user', 'text'],
    ['assistant', 'call'],
    ['tool', 'result'],
    ['assistant', 'text'],
  ])
})

test('files of tools, larger than what is kept for a slow client, reach one that reads', async () => {
  const data = 'A'.repeat(4_000_000)
  const shoot = tool({ name: 'shoot', run: () => ({ type: 'file', mediaType: 'image/png', data }) })
  const script = [{ calls: [{ name: 'shoot' }] }, { calls: [{ name: 'shoot', args: { n: 2 } }] }, 'There.']
  server = await serve({ model: scriptedModel(script), tools: [shoot] })
  connect()
  const id = await server.newConversation()
  const state = await followed(id)
  await client.send(id, { text: 'shoot' })
  const { nodes } = await state.until(over)
  const values = [...nodes.values()].flatMap(({ message }) =>
    message.content.flatMap(part => ('value' in part ? [part.value] : [])),
  )
  expect(values).toMatchObject([{ data }, { data }])
})
