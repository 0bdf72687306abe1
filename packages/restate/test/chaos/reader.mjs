// Reads the logs of conversations, and of the sub-agents that they have called: node reader.mjs URL FILE IDS
import { readFileSync, writeFileSync } from 'node:fs'
import { postgresStore } from 'turnbuckle/stores'

const [, , url, file, list] = process.argv
const store = postgresStore(url)
const logs = {}
for (const id of JSON.parse(readFileSync(list, 'utf8'))) {
  logs[id] = await store.events(id)
  for (const { type, agentConversationId } of logs[id])
    if (type === 'agent.started') logs[agentConversationId] ??= await store.events(agentConversationId)
}
writeFileSync(file, JSON.stringify(logs))
await store.close()
