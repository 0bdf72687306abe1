import { expect, test } from 'vitest'
import type { Executor, Row, Statement, Work } from '../sql/executor.ts'
import { writeUnread } from '../sql/write-commit.ts'
import { begin, runTogether, SqlText } from './run-together.ts'

/** A connection that answers when the program rests; `trips` has the queries of each round trip. */
function connection(answer: (sql: string) => Row[] = () => []) {
  const trips: string[][] = []
  let trip: string[] | undefined
  return {
    trips,
    async query(sql: string) {
      if (!trip) {
        trip = []
        trips.push(trip)
        setImmediate(() => {
          trip = undefined
        })
      }
      trip.push(sql.split(' ')[0] as string)
      await new Promise(resolve => setImmediate(resolve))
      return { rows: answer(sql) }
    },
  }
}

function* asking(name: string): Work<unknown> {
  const [row] = yield ['SELECT ?', [name]]
  yield { all: [['INSERT', [row?.['a']]] satisfies Statement, ['UPDATE']], last: true }
  return `${name} ${row?.['a']}`
}

test('several works share round trips: each has the next statements of all, the last has the end', async () => {
  const { trips, ...client } = connection(() => [{ a: 1 }])
  expect(await runTogether(client, [asking('x'), asking('y')], new SqlText(undefined), begin)).toEqual(['x 1', 'y 1'])
  expect(trips).toEqual([
    ['BEGIN', 'SELECT', 'SELECT'],
    ['INSERT', 'UPDATE', 'INSERT', 'UPDATE', 'COMMIT'],
  ])
})

test('a commit to a conversation whose place is known takes one round trip', async () => {
  const { trips, ...client } = connection()
  const records = [{ seq: 3, turn: 't', type: 'turn.started', body: { at: 1 } }]
  const commit = { conversation: 'c', holder: 'h', fence: 1, leaseMs: 1, release: false, records, head: undefined }
  const work = writeUnread(commit, { fence: 1, n: 5, c: 7, createdAt: 1, hasRaw: true }, {
    now: () => ['0'],
  } as unknown as Executor)
  expect(await runTogether(client, [work], new SqlText(undefined), begin)).toMatchObject([{ fence: 1, n: 6, c: 7 }])
  expect(trips).toEqual([['BEGIN', 'UPDATE', 'INSERT', 'INSERT', 'SELECT', 'COMMIT']])
})

test('the first error of a broken transaction is told, once all have been answered', async () => {
  const { trips, ...client } = connection(sql => {
    if (sql === 'INSERT' || sql === 'UPDATE') throw new Error(`${sql} failed`)
    return []
  })
  await expect(runTogether(client, [asking('x')], new SqlText(undefined), begin)).rejects.toThrow('INSERT failed')
  expect(trips.length).toBe(2)
})

test('tables are named with their schema, and parameters numbered', () => {
  const sql = 'SELECT * FROM records JOIN conversations ON conversations.c = records.c WHERE id = ? AND n > ?'
  expect(new SqlText('chat').of(sql)).toBe(
    'SELECT * FROM "chat".records JOIN "chat".conversations ON conversations.c = records.c WHERE id = $1 AND n > $2',
  )
  expect(() => new SqlText('a"; DROP')).toThrow(expect.objectContaining({ code: 'store.schema' }))
})
