import type { Change } from './project.ts'
import type { Work } from './sql-driver.ts'

type Apply<Kind extends Change['change']> = (
  conversation: string,
  change: Extract<Change, { change: Kind }>,
  n: number,
) => Work<void>

const orNull = (value: unknown): unknown => value ?? null
const parent = '(SELECT depth FROM nodes WHERE conversation = ? AND id = ?)'
const parentState = '(SELECT state FROM nodes WHERE conversation = ? AND id = ?)'

/** Where a turn's records are. Takes the conversation and the turn, twice. */
export const ofTurn: string = `n >= COALESCE((SELECT n FROM turns WHERE conversation = ? AND id = ?), 0)
  AND n <= COALESCE((SELECT last FROM turns WHERE conversation = ? AND id = ?), 2147483647)`

/** How each change is written to the tables that are read from. */
const writers: { readonly [Kind in Change['change']]: Apply<Kind> } = {
  *node(conversation, { message, parent: above, turn, at, text }, n) {
    const up = orNull(above)
    yield [
      `INSERT INTO nodes (conversation, id, parent, depth, turn, at, message, state, body, n)
       VALUES (?, ?, ?, COALESCE(${parent}, 0) + 1, ?, ?, ?, ${parentState}, ?, ?)`,
      [
        conversation,
        message.id,
        up,
        conversation,
        up,
        orNull(turn),
        at,
        JSON.stringify(message),
        conversation,
        up,
        text,
        n,
      ],
    ]
  },
  *usage(conversation, { node, usage }) {
    yield ['UPDATE nodes SET usage = ? WHERE conversation = ? AND id = ?', [JSON.stringify(usage), conversation, node]]
    yield [
      'UPDATE conversations SET input_tokens = input_tokens + ?, output_tokens = output_tokens + ?, cost = cost + ? WHERE id = ?',
      [usage.inputTokens, usage.outputTokens, orNull(usage.cost), conversation],
    ]
  },
  *hidden(conversation, { node }) {
    yield [
      `WITH RECURSIVE below (id) AS (
         SELECT id FROM nodes WHERE conversation = ? AND id = ?
         UNION ALL SELECT nodes.id FROM nodes JOIN below ON nodes.parent = below.id WHERE nodes.conversation = ?)
       UPDATE nodes SET hidden = 1 WHERE conversation = ? AND id IN (SELECT id FROM below)`,
      [conversation, node, conversation, conversation],
    ]
  },
  *turn(conversation, { id, status, at }, n) {
    const last = status === 'open' ? null : n
    yield [
      'INSERT INTO turns (conversation, id, status, started_at, n, last) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, id) DO UPDATE SET status = excluded.status, last = excluded.last',
      [conversation, id, status, at, n, last],
    ]
    // A turn that has ended needs no checkpoints.
    if (status !== 'open')
      yield [
        `DELETE FROM records WHERE conversation = ? AND turn = ? AND ${ofTurn} AND type IN ('note.turn', 'note.entered', 'note.left', 'note.reply', 'note.intent', 'note.raw', 'note.state', 'note.sketch', 'note.spent')`,
        [conversation, id, conversation, id, conversation, id],
      ]
  },
  *settled(conversation, { turn, callId }) {
    // The raw result is erased as soon as the hooked one is recorded: a redactor may have had its reasons.
    const mark = `{"callId":${JSON.stringify(callId)},%`.replace(/[\\_]/g, '\\$&')
    yield [
      `DELETE FROM records WHERE conversation = ? AND turn = ? AND type = 'note.raw' AND body LIKE ? ESCAPE '\\'`,
      [conversation, orNull(turn), mark],
    ]
  },
  *request(conversation, { id, turn, kind, payload, at, deadline }, n) {
    yield [
      'INSERT INTO requests (conversation, id, turn, kind, payload, opened_at, deadline, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, id) DO NOTHING',
      [conversation, id, orNull(turn), kind, JSON.stringify(orNull(payload)), at, orNull(deadline), n],
    ]
  },
  *answered(conversation, { id }) {
    yield ['DELETE FROM requests WHERE conversation = ? AND id = ?', [conversation, id]]
  },
  *title(conversation, { title }) {
    yield ['UPDATE conversations SET title = ? WHERE id = ?', [title, conversation]]
  },
  *state(conversation, { name, value }) {
    yield [
      'INSERT INTO states (conversation, name, value) VALUES (?, ?, ?) ON CONFLICT (conversation, name) DO UPDATE SET value = excluded.value',
      [conversation, name, JSON.stringify(orNull(value))],
    ]
  },
  *branch(conversation, { node, name, value }) {
    const [row] = yield ['SELECT state FROM nodes WHERE conversation = ? AND id = ?', [conversation, node]]
    const state = { ...JSON.parse((row?.['state'] as string | null) ?? '{}'), [name]: value }
    yield ['UPDATE nodes SET state = ? WHERE conversation = ? AND id = ?', [JSON.stringify(state), conversation, node]]
  },
}

/** `n` is the place of the record it comes from. */
export const applyChange = (conversation: string, n: number, change: Change): Work<void> =>
  (writers[change.change] as Apply<Change['change']>)(conversation, change, n)
