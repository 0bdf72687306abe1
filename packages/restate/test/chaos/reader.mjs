// Reads the logs of conversations, and of the sub-agents below them, a line for each: node reader.mjs URL FILE IDS

import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { postgresStore } from 'turnbuckle/stores'

const [, , url, file, list] = process.argv
const store = postgresStore(url)
const lines = createWriteStream(file)
const read = new Set()

/** What the checker looks at: 20,000 turns would be too much for one process otherwise. */
const shortened = ({ conversationId, message, args, result, state, text, ...event }) => ({
  ...event,
  ...(message
    ? { message: { role: message.role, content: message.content.map(({ type, id }) => ({ type, id })) } }
    : {}),
})

/** Reads a log, and those of the sub-agents below. */
async function readLog(id) {
  if (read.has(id)) return
  read.add(id)
  const events = await store.events(id)
  if (!lines.write(`${JSON.stringify({ id, events: events.map(shortened) })}\n`)) await once(lines, 'drain')
  for (const { type, agentConversationId } of events) if (type === 'agent.started') await readLog(agentConversationId)
}

for (const id of JSON.parse(readFileSync(list, 'utf8'))) await readLog(id)
lines.end()
await once(lines, 'finish')
await store.close()
