import { createAgent, tool } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

/** Holds a conversation with a call that lasts until a line comes in. */
const [path = ''] = process.argv.slice(2)
const store = sqliteStore(path)
const line = new Promise<void>(resolve => process.stdin.once('data', () => resolve()))
const wait = tool({ name: 'wait', run: () => line })
const model = scriptedModel([{ calls: [{ name: 'wait', args: {} }] }, 'Done.'])
const turn = createAgent({ model, tools: [wait], store })
  .conversation('c')
  .send('Wait.')
for await (const event of turn) if (event.type === 'tool.executing') process.stdout.write('held\n')
await store.close()
process.exit()
