// A process stops in the middle of a turn; another one goes on, and no finished work is done twice.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

const path = join(mkdtempSync(join(tmpdir(), 'turnbuckle-')), 'conversations.db')
const book = tool<{ what: string }>({
  name: 'book',
  run({ what }) {
    console.log(`booking ${what}`)
    return `${what} is booked`
  },
})
const call = (what: string) => ({ calls: [{ name: 'book', args: { what }, id: what }] })

const first = sqliteStore(path)
const before = createAgent({
  model: scriptedModel([call('the train'), call('the hotel')]),
  tools: [book],
  store: first,
})
const turn = before.conversation('trip').send('Book my trip.')
// The lights go out after the first booking. (`kill -9` does as well: see docs/durability.md.)
for await (const event of turn) if (event.type === 'tool.completed') await before.close()
first.close()

const store = sqliteStore(path)
const after = createAgent({ model: scriptedModel([call('the hotel'), 'Have a good trip.']), tools: [book], store })
const result = await after.resume('trip')
console.log(`${result?.status}: ${result?.text}`)
store.close()
