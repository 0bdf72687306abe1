import { type Commit, createStore, type Driver, memoryStore, type StoreOptions } from 'turnbuckle/stores'
import { storeConformance } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

type Fault = (driver: Driver) => Partial<Driver>

/** The titles of the facts that a store with this fault does not keep. */
async function caught(fault: Fault): Promise<string[]> {
  const drivers = new Map<string, Driver>()
  const open = (database: string, options?: StoreOptions) => {
    const driver = drivers.get(database) ?? memoryStore().driver
    drivers.set(database, driver)
    const faulty = fault(driver)
    const own = (name: keyof Driver) => (driver[name] as (() => unknown) | undefined)?.bind(driver)
    const get = (_: Driver, name: keyof Driver) => faulty[name] ?? own(name)
    return createStore(new Proxy(driver, { get: get as (target: Driver, name: string | symbol) => unknown }), options)
  }
  const failed: string[] = []
  for (const { title, run } of storeConformance(open)) await run().catch(() => failed.push(title))
  return failed
}

const changed =
  (change: (commit: Commit) => Partial<Commit>): Fault =>
  driver => ({ commit: commit => driver.commit({ ...commit, ...change(commit) }) })
const without = (commit: Commit, type: string) => ({
  records: commit.records.map(record => (record.type === type ? { ...record, type: 'other' } : record)),
})

const faults: readonly { readonly what: string; readonly fault: Fault }[] = [
  {
    what: 'does not check the token',
    fault: changed(({ fence }) => (fence === undefined ? {} : { fence: undefined })),
  },
  { what: 'lets anybody be the writer', fault: changed(() => ({ holder: 'all' })) },
  { what: 'never lets go', fault: changed(() => ({ release: false })) },
  { what: 'keeps no lease', fault: changed(() => ({ release: true })) },
  { what: 'forgets the head', fault: changed(() => ({ head: undefined })) },
  { what: 'forgets the owner', fault: changed(() => ({ owner: undefined })) },
  { what: 'keeps half of a commit', fault: changed(({ records }) => ({ records: records.slice(0, 3) })) },
  { what: 'keeps no notes', fault: changed(({ records }) => ({ records: records.filter(({ seq }) => seq) })) },
  { what: 'does not open turns', fault: changed(commit => without(commit, 'turn.started')) },
  { what: 'does not end turns', fault: changed(commit => without(commit, 'turn.stopped')) },
  { what: 'does not close requests', fault: changed(commit => without(commit, 'request.answered')) },
  { what: 'does not hide', fault: changed(commit => without(commit, 'message.hidden')) },
  { what: 'does not count usage', fault: changed(commit => without(commit, 'usage')) },
  { what: 'does not count what no message has used', fault: changed(commit => without(commit, 'note.besides')) },
  { what: 'keeps no title', fault: changed(commit => without(commit, 'title.changed')) },
  { what: 'keeps the raw result', fault: changed(commit => without(commit, 'tool.completed')) },
  { what: 'renews for anybody', fault: () => ({ renew: () => true }) },
  { what: 'does not renew', fault: () => ({ renew: () => false }) },
  { what: 'has no states', fault: () => ({ states: () => ({}) }) },
  { what: 'gives whole paths only', fault: driver => ({ path: (id, tip) => driver.path(id, tip) }) },
  {
    what: 'gives events from the start',
    fault: driver => ({ records: (id, { after: _, ...where }) => driver.records(id, where) }),
  },
  { what: 'lists one page for ever', fault: driver => ({ list: ({ limit }) => driver.list({ limit }) }) },
  {
    what: 'searches in all that others own',
    fault: driver => ({ search: ({ text, limit }) => driver.search({ text, limit }) }),
  },
  { what: 'deletes nothing', fault: () => ({ delete: () => {} }) },
  { what: 'keeps values for ever', fault: driver => ({ set: (space, key, value) => driver.set(space, key, value) }) },
  { what: 'keeps no values', fault: () => ({ set: () => {} }) },
]

test('a store without a fault keeps every fact', async () => {
  expect(await caught(() => ({}))).toEqual([])
})

test.each(faults)('one that $what is caught', async ({ fault }) => {
  expect(await caught(fault)).not.toEqual([])
})
