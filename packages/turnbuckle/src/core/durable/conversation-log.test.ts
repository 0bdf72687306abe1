import { createAgent, middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { Log, LoggedConversation, LogRecord, Store } from './log-port.ts'

/** A store whose log takes everything at once, and can be lost. */
function fakeStore() {
  const records: LogRecord[] = []
  let conversation: LoggedConversation | undefined
  let lost: unknown
  const log: Log = {
    append(record, delivered) {
      if (record) records.push(record)
      delivered?.()
    },
    barrier: async () => {
      if (lost) throw lost
    },
    read: () => ({ status: 'unchanged' }) as never,
    release: async () => {},
  }
  const store: Store = {
    attach(attached) {
      conversation = attached
      return log
    },
  }
  const lose = (error: Error) => {
    lost = error
    conversation?.onLost({ why: 'takenOver', error })
  }
  return { store, records, lose }
}

test('a port of four verbs is all that a turn needs', async () => {
  const { store, records } = fakeStore()
  const chat = createAgent({ model: scriptedModel(['Hello.']), store }).conversation()
  expect(await chat.send('Hi.')).toMatchObject({ status: 'completed', text: 'Hello.' })
  const events = records.filter(({ seq }) => seq !== undefined)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(events.at(-1)?.type).toBe('turn.completed')
})

test('a log that is lost fails the turns that run, and refuses later ones', async () => {
  const { store, lose } = fakeStore()
  const hangs = scriptedModel([() => new Promise<never>(() => {})])
  const chat = createAgent({ model: hangs, store }).conversation()
  const turn = chat.send('Hi.')
  for await (const { type } of turn) if (type === 'message.added') lose(new Error('taken over'))
  expect(await turn.settled).toMatchObject({ status: 'failed', reason: 'taken over', by: 'store' })
  expect(await chat.send('Again.').settled).toMatchObject({ status: 'failed', reason: 'taken over' })
})

test('an event of a user’s own may have an outcome: it is not taken for the end of its turn', async () => {
  const tells = middleware({
    name: 'tells',
    beforeModel: ctx => {
      ctx.emit({ type: 'lookup.done', outcome: 'found' })
    },
  })
  const seen: string[] = []
  const chat = createAgent({ model: scriptedModel(['Hello.']), use: [tells], store: memoryStore() }).conversation()
  chat.subscribe(({ type }) => seen.push(type))
  expect(await chat.send('Hi.')).toMatchObject({ status: 'completed' })
  expect(seen).toContain('lookup.done')
  expect(seen).not.toContain('hook.failed')
})
