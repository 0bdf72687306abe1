import { appendFileSync } from 'node:fs'
import { createAgent, tool } from 'turnbuckle'
import { type Commit, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

const [path = '', mode = '', acks = ''] = process.argv.slice(2)
const store = sqliteStore(path)

const commit = (conversation: string, text: string): Commit => {
  const message = { id: 'm', role: 'user', content: [{ type: 'text', text }] }
  const records = [{ seq: 1, turn: undefined, type: 'message.added', body: { messageId: 'm', message, at: 1 } }]
  return { conversation, holder: 'h', fence: undefined, leaseMs: 0, release: true, records, head: 'm' }
}

/** Ten commits and a very long one go to the thread together; it is at that one when the process dies. */
async function dieInside(): Promise<void> {
  await store.driver.commit(commit('before', 'Hi.'))
  const names = Array.from({ length: 10 }, (_, i) => `c${i}`)
  const long = 'x'.repeat(100_000_000)
  for (const each of [...names.map(name => commit(name, 'Hi.')), commit('long', long)])
    Promise.resolve(store.driver.commit(each)).then(() => appendFileSync(acks, `${each.conversation}\n`))
  // The thread has the calls when the loop has turned twice.
  setImmediate(() => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 30))
}

/** Conversations that talk at the same time, until somebody kills the process. */
async function talk(): Promise<void> {
  const step = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) =>
    messages.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'note', args: {} }] }
  const model = scriptedModel([step], { repeat: true })
  const note = tool({ name: 'note', idempotent: true, run: () => 'noted' })
  const agent = createAgent({ model, tools: [note], store, breaker: false })
  const converse = async (id: string) => {
    const chat = await agent.open(id)
    chat.subscribe(event => {
      if (event.seq !== undefined) appendFileSync(acks, `${JSON.stringify([id, event.seq, event.type])}\n`)
    })
    for (let turn = agent.resume(id); turn; turn = agent.resume(id)) await turn.settled
    for (;;) await chat.send('Go.').settled
  }
  await Promise.all(Array.from({ length: 12 }, (_, i) => converse(`c${i}`)))
}

await (mode === 'inside' ? dieInside() : talk())
