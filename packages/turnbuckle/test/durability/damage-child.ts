import { appendFileSync, chmodSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createAgent } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'

/**
 * Sends until the store refuses; says what was told and how it ended, one line of JSON. With `mend` the file may be written to then, and
 * it sends once more.
 */
const [path = '', out = '', turns = '1', mend] = process.argv.slice(2)
function mendPermissions(): void {
  chmodSync(dirname(path), 0o755)
  for (const name of ['', '-wal', '-shm']) if (existsSync(path + name)) chmodSync(path + name, 0o644)
}
const say = (told: object): void => appendFileSync(out, JSON.stringify(told))
try {
  const store = sqliteStore(path)
  const model = scriptedModel(['Well, '.repeat(300)], { repeat: true })
  const chat = createAgent({ model, store }).conversation('c')
  const before = chat.messages.length
  let seq = 0
  chat.subscribe(event => {
    seq = event.seq ?? seq
  })
  let status = ''
  let code: string | undefined
  for (let i = 0; i < Number(turns) && code === undefined; i++) {
    const result = await chat.send('More.').settled
    status = result.status
    code = (result.error as { code?: string } | undefined)?.code
  }
  if (mend) mendPermissions()
  const again = mend && (await chat.send('Again.').settled).status
  say({ before, seq, status, code, again, after: chat.messages.length, loss: store.loss?.message })
} catch (error) {
  say({ code: (error as { code?: string }).code, message: (error as Error).message })
}
