// Reads the logs of conversations: node reader.mjs URL FILE IDS
import { readFileSync, writeFileSync } from 'node:fs'
import { postgresStore } from 'turnbuckle/stores'

const [, , url, file, list] = process.argv
const store = postgresStore(url)
const logs = {}
for (const id of JSON.parse(readFileSync(list, 'utf8'))) logs[id] = await store.events(id)
writeFileSync(file, JSON.stringify(logs))
await store.close()
