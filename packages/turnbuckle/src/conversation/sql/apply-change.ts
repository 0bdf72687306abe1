import { type Change, checkpoints } from './changes-of.ts'
import type { Row, Statement } from './executor.ts'

/** The conversation whose tables are changed, by its id and by its number `c`. */
export interface Target {
  readonly conversation: string
  readonly c: number
  /** True when the log has raw results (`note.raw`), which the result of their call erases. */
  readonly hasRaw: boolean
}

/** One statement after the other, each with its rows. */
export type ChangeWork = Generator<Statement, void, readonly Row[]>

type Apply<Kind extends Change['change']> = (
  target: Target,
  change: Extract<Change, { change: Kind }>,
  n: number,
) => ChangeWork

const orNull = (value: unknown): unknown => value ?? null
const parent = '(SELECT depth FROM nodes WHERE c = ? AND id = ?)'
const parentState = '(SELECT state FROM nodes WHERE c = ? AND id = ?)'
const spent = checkpoints.map(type => `'${type}'`).join(', ')

/** The places of a turn's records, from its first to its last. Parameters: conversation and turn, twice. */
export const ofTurn: string = `n >= COALESCE((SELECT n FROM turns WHERE conversation = ? AND id = ?), 0)
  AND n <= COALESCE((SELECT last FROM turns WHERE conversation = ? AND id = ?), 2147483647)`

// Whole texts, each made once: a database looks a prepared statement up by its text, and one put together anew is hashed anew.
const insertNode = `INSERT INTO nodes (c, id, parent, depth, turn, at, message, state, body, n)
  VALUES (?, ?, ?, COALESCE(${parent}, 0) + 1, ?, ?, ?, ${parentState}, ?, ?)`
const deleteSpent = `DELETE FROM records WHERE c = ? AND turn = ? AND n <= ?
  AND n >= COALESCE((SELECT n FROM turns WHERE conversation = ? AND id = ?), 0) AND type IN (${spent})`

/** A writer for each kind of change: the statements that bring the tables up to date. */
const writers: { readonly [Kind in Change['change']]: Apply<Kind> } = {
  *node({ c }, { message, parent: above, turn, at, text }, n) {
    const up = orNull(above)
    yield [insertNode, [c, message.id, up, c, up, orNull(turn), at, JSON.stringify(message), c, up, text, n]]
  },
  *usage({ c, conversation }, { node, usage }) {
    if (node !== undefined)
      yield ['UPDATE nodes SET usage = ? WHERE c = ? AND id = ?', [JSON.stringify(usage), c, node]]
    yield [
      'UPDATE conversations SET input_tokens = input_tokens + ?, output_tokens = output_tokens + ?, cost = cost + ? WHERE id = ?',
      [usage.inputTokens, usage.outputTokens, orNull(usage.cost), conversation],
    ]
  },
  *hidden({ c }, { node }) {
    yield [
      `UPDATE nodes SET hidden = 1 WHERE c = ? AND id IN (
         WITH RECURSIVE below (id) AS (
           SELECT id FROM nodes WHERE c = ? AND id = ?
           UNION ALL SELECT nodes.id FROM nodes JOIN below ON nodes.parent = below.id WHERE nodes.c = ?)
         SELECT id FROM below)`,
      [c, c, node, c],
    ]
  },
  *turn({ c, conversation }, { id, status, at, unpriced }, n) {
    const last = status === 'open' ? null : n
    yield [
      'INSERT INTO turns (conversation, id, status, started_at, n, last) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, id) DO UPDATE SET status = excluded.status, last = excluded.last',
      [conversation, id, status, at, n, last],
    ]
    if (unpriced) yield ['UPDATE conversations SET cost = NULL WHERE id = ?', [conversation]]
    if (status !== 'open') yield [deleteSpent, [c, id, n, conversation, id]]
  },
  *settled({ c, hasRaw }, { turn, callId }) {
    // The raw result is erased as soon as the hooked one is recorded: a redactor may have had its reasons.
    const mark = `{"callId":${JSON.stringify(callId)},`
    if (hasRaw)
      yield [
        `DELETE FROM records WHERE c = ? AND turn = ? AND type = 'note.raw' AND substr(body, 1, ?) = ?`,
        [c, orNull(turn), [...mark].length, mark],
      ]
  },
  *request({ conversation }, { id, turn, kind, payload, at, deadline }, n) {
    yield ['DELETE FROM requests WHERE conversation = ? AND id = ? AND closed = 1', [conversation, id]]
    yield [
      'INSERT INTO requests (conversation, id, turn, kind, payload, opened_at, deadline, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, id) DO NOTHING',
      [conversation, id, orNull(turn), kind, JSON.stringify(orNull(payload)), at, orNull(deadline), n],
    ]
  },
  *answered({ conversation }, { id }) {
    yield [
      `UPDATE requests SET closed = 1, payload = 'null', deadline = NULL WHERE conversation = ? AND id = ?`,
      [conversation, id],
    ]
  },
  *title({ conversation }, { title }) {
    yield ['UPDATE conversations SET title = ? WHERE id = ?', [title, conversation]]
  },
  *state({ conversation }, { name, value }) {
    yield [
      'INSERT INTO states (conversation, name, value) VALUES (?, ?, ?) ON CONFLICT (conversation, name) DO UPDATE SET value = excluded.value',
      [conversation, name, JSON.stringify(orNull(value))],
    ]
  },
  *branch({ c }, { node, name, value }) {
    const [row] = yield ['SELECT state FROM nodes WHERE c = ? AND id = ?', [c, node]]
    const state = { ...JSON.parse((row?.['state'] as string | null) ?? '{}'), [name]: value }
    yield ['UPDATE nodes SET state = ? WHERE c = ? AND id = ?', [JSON.stringify(state), c, node]]
  },
}

/** Writes a change to the tables. `n` is the place of the record that the change comes from. */
export const applyChange = (target: Target, n: number, change: Change): ChangeWork =>
  (writers[change.change] as Apply<Change['change']>)(target, change, n)
