import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../http/fill-store.mjs'
import { stepsScript } from '../script.mjs'
import { median, sampleFor, timed } from '../stats.mjs'

const STEPS = 20
const MESSAGES = 100_000
const PAGE = 64
const tools = [{ name: 'work', run: ({ n }) => n + 1 }]

export default {
  id: 'durable',
  lines: [
    { id: 'durable.steps', title: 'durable tool steps on SQLite', unit: '/s' },
    { id: 'durable.barriers', title: 'barriers of a durable step', unit: '' },
    { id: 'durable.raw', title: 'durable commits of the raw driver, the same records', unit: '/s' },
    {
      id: 'durable.ratio',
      title: 'durable steps, to the raw driver with the same records and barriers',
      unit: '×',
      goal: { say: '≥ 0.5 ×', miss: 'under', met: ({ own }) => own >= 0.5 },
    },
    { id: 'durable.open', title: `open a conversation of ${MESSAGES.toLocaleString('en')} messages`, unit: 'ms' },
    { id: 'durable.page', title: `read its last ${PAGE} messages by hand`, unit: 'ms' },
    {
      id: 'durable.opening',
      title: 'open it, to reading its last page by hand',
      unit: '×',
      goal: { say: '≤ 3 ×', met: ({ own }) => own <= 3 },
    },
  ],
  async measure(subject, budget) {
    if (!subject.stores) return {}
    const stores = await subject.stores()
    const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-bench-durable-'))
    try {
      return { ...(await steps(subject, stores, folder, budget)), ...(await opening(subject, stores, folder, budget)) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** A turn, and then as many commits by hand, in turn: both wait for the same disk. */
async function steps(subject, stores, folder, budget) {
  const commits = []
  const inner = stores.sqliteStore(join(folder, 'steps.db'))
  const store = stores.createStore(watched(inner.driver, commits))
  const raw = rawLog(join(folder, 'raw.db'))
  const turn = async () => {
    commits.length = 0
    const agent = subject.create(subject.library, { store, script: stepsScript(STEPS), tools })
    return timed(() => agent.send().done)
  }
  const both = async () => {
    const own = await turn()
    const bodies = [...commits]
    return { own, barriers: bodies.length, hand: await timed(() => raw.append(bodies)) }
  }
  await sampleFor(budget.ms, both)
  const samples = await sampleFor(budget.ms * 2, both, { least: 9 })
  raw.close()
  await inner.close()
  const [own, hand, barriers] = ['own', 'hand', 'barriers'].map(name => median(samples.map(sample => sample[name])))
  return {
    'durable.steps': (1000 * (STEPS + 1)) / own,
    'durable.barriers': barriers / (STEPS + 1),
    'durable.raw': (1000 * barriers) / hand,
    'durable.ratio': median(samples.map(sample => sample.hand / sample.own)),
  }
}

/** Keeps the records of each commit. */
const watched = (driver, commits) =>
  new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
      return commit => {
        commits.push(commit.records)
        return target.commit(commit)
      }
    },
  })

/** With the same settings as the store's. */
function openSynced(path) {
  const database = openDatabase(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  return database
}

function rawLog(path) {
  const database = openSynced(path)
  database.exec('CREATE TABLE log (n INTEGER PRIMARY KEY, body TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO log (body) VALUES (?)')
  return {
    append(commits) {
      for (const records of commits) {
        database.exec('BEGIN IMMEDIATE')
        for (const record of records) insert.run(JSON.stringify(record))
        database.exec('COMMIT')
      }
    },
    close: () => database.close(),
  }
}

async function opening(subject, stores, folder, budget) {
  const path = join(folder, 'long.db')
  const store = stores.sqliteStore(path)
  await fill(store)
  const database = openSynced(path)
  const page = database.prepare(
    `WITH RECURSIVE path AS (
       SELECT nodes.*, 1 AS k FROM nodes WHERE c = (SELECT c FROM conversations WHERE id = ?) AND id = ?
       UNION ALL SELECT nodes.*, k + 1 FROM path CROSS JOIN nodes
       WHERE nodes.c = path.c AND nodes.id = path.parent AND k < ?)
     SELECT * FROM path ORDER BY k DESC`,
  )
  const byHand = () => {
    const rows = page.all('long', `m${MESSAGES}`, PAGE).map(row => JSON.parse(row.message))
    if (rows.length !== PAGE) throw new Error(`The page has ${rows.length} messages.`)
  }
  const open = async () => {
    const agent = subject.create(subject.library, { store, script: stepsScript(1), tools })
    const { head } = await agent.open('long')
    if (head !== `m${MESSAGES}`) throw new Error(`Opened at ${head}.`)
  }
  const both = async () => ({ hand: await timed(byHand), own: await timed(open) })
  await sampleFor(budget.ms / 2, both)
  const samples = await sampleFor(budget.ms, both, { least: 9 })
  database.close()
  await store.close()
  return {
    'durable.open': median(samples.map(({ own }) => own)),
    'durable.page': median(samples.map(({ hand }) => hand)),
    'durable.opening': median(samples.map(({ own, hand }) => own / hand)),
  }
}

/** Turns of two messages each, as the log has them. */
async function fill({ driver }) {
  let fence
  let seq = 0
  for (let first = 1; first <= MESSAGES; first += 1000) {
    const records = []
    const add = (turn, type, body) => records.push({ seq: ++seq, turn, type, body: { at: seq, ...body } })
    for (let k = first; k < first + 1000; k++) {
      const turn = `t${Math.ceil(k / 2)}`
      const role = k % 2 ? 'user' : 'assistant'
      if (k % 2) add(turn, 'turn.started', {})
      const message = { id: `m${k}`, role, content: [{ type: 'text', text: `Message ${k} of a long conversation.` }] }
      const parentId = k === 1 ? undefined : `m${k - 1}`
      add(turn, 'message.added', { messageId: message.id, parentId, role, message })
      if (k % 2 === 0) add(turn, 'turn.completed', { outcome: 'completed' })
    }
    const head = `m${first + 999}`
    const commit = { conversation: 'long', holder: 'bench', fence, leaseMs: 1000, release: false, records, head }
    fence = (await driver.commit(commit)).fence
  }
  await driver.commit({
    conversation: 'long',
    holder: 'bench',
    fence,
    leaseMs: 0,
    release: true,
    records: [],
    head: `m${MESSAGES}`,
  })
}
