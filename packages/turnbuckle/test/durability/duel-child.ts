import { writeSync } from 'node:fs'
import { type Conversation, createAgent, middleware, rewind, type Turn, tool } from 'turnbuckle'
import { postgresStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

/** One of several processes on one conversation. Does what the seed says, as often as it is told, and then goes. */
export interface Duellist {
  readonly kind: 'sqlite' | 'postgres'
  readonly url: string
  readonly seed: number
  readonly moves: number
}

const { kind, url, seed, moves } = JSON.parse(process.argv[2] ?? '') as Duellist

let state = seed * 7919 + 13
/** Below `n`. */
function random(n: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor(state / 65_536) % n
}

let calls = 0
const usage = { inputTokens: 1, outputTokens: 1, cost: 0.1 }
const model = scriptedModel(
  [
    ({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: 'Done.', usage }
      const names = [[], ['note'], ['pay', 'note']][random(3)] ?? []
      return { text: 'Well.', usage, calls: names.map(name => ({ name, id: `${name}${process.pid}-${calls++}` })) }
    },
  ],
  { repeat: true },
)
const goesBack = middleware({
  name: 'goes-back',
  state: { often: 0 },
  afterDecide(ctx) {
    if (ctx.state.often || random(10)) return
    ctx.update(() => ({ often: 1 }))
    return rewind(0, 'Again.')
  },
})
const tools = [tool({ name: 'note', idempotent: true, run: () => 'noted' }), tool({ name: 'pay', run: () => 'paid' })]
const store = (kind === 'sqlite' ? sqliteStore : postgresStore)(url, { waitMs: 200, onLoss() {} })
const agent = createAgent({ model, tools, use: [goesBack], store, breaker: false })

/** What may happen to who is not alone. */
const expected = /^(conversation\.locked|store\.fenced|turn\.(running|ended)|request\.\w+)$/
async function allowed(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!expected.test(String((error as { code?: unknown }).code))) throw error
  }
}

/** Answers what is asked, and looks how it ended. */
async function follow(turn: Turn | undefined): Promise<void> {
  if (!turn) return
  for await (const event of turn)
    if (event.type === 'request.opened')
      await allowed(() => turn.answer(event.requestId, { outcome: random(2) ? 'happened' : 'not' }))
  const { error } = await turn.settled
  if (error) throw error
}

const anyOf = (chat: Conversation): string => chat.tree[random(chat.tree.length)]?.id ?? ''
const said: readonly ((chat: Conversation) => unknown)[] = [
  chat => follow(chat.send('Say.')),
  chat => chat.tree.length && chat.checkout(anyOf(chat)),
  chat => Promise.all([chat.tree.length && follow(chat.fork(anyOf(chat)).send('Fork.')), follow(chat.send('Beside.'))]),
  chat => {
    chat.title = `Title ${random(100)}`
    return chat.kept()
  },
  chat => chat.emit({ type: 'my.news' }),
  chat => {
    const turn = chat.send('Cut.')
    turn.interrupt()
    return turn.settled
  },
  () => follow(agent.resume('c')),
]

async function open(): Promise<Conversation> {
  const chat = await agent.open('c')
  await chat.load()
  return chat
}

const first = await open()
first.subscribe(({ seq, type }) => void (seq !== undefined && writeSync(1, `${seq} ${type}\n`)))
for (let i = 0; i < moves; i++) {
  const chat = await open()
  await allowed(() => said[random(said.length)]?.(chat))
}
// Nobody else is there at the end: what the others have left is gone on with.
for (let left = moves ? undefined : agent.resume('c'); left; left = agent.resume('c')) await follow(left)
await agent.close()
await store.close()
