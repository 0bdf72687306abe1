/**
 * What the model says, in words that belong to no library. A script is asked once per model call, with the number of
 * messages in the prompt (system messages apart), and answers with a reply:
 *
 *   batches   text deltas, in the arrays in which they are handed over
 *   calls     tool calls
 *   ending    'finish' (default); 'hang': the stream never ends; 'flood': it goes on for ever. Both ignore any signal.
 *
 * `ended` is called when the last chunk of a call is about to be handed over. `release` lets go whatever hangs. A script
 * that is `blind` counts its own calls: a library that makes the list of messages only for who looks at it need not.
 * One that is `asynchronous` answers as a provider does: the model waits for the reply and hands over one chunk at a time.
 */
export function createScript(reply, { ended = () => {} } = {}) {
  let open
  const released = new Promise(resolve => {
    open = resolve
  })
  const script = { reply, ended, released, over: false, release }
  function release() {
    script.over = true
    open()
  }
  return script
}

export const call = (n, name = 'work') => ({ type: 'call', id: `call-${n}`, name, args: { n } })

/** `steps` model calls that ask for one tool each, then one that says it is done. `start`: messages before the first. */
export const stepsScript = (steps, { start = 1, tool, ...hooks } = {}) =>
  createScript(count => {
    const step = (count - start) >> 1
    return step < steps ? { calls: [call(step, tool)] } : { batches: DONE }
  }, hooks)

/** One model call that asks for all tools at once, then one that says it is done. */
export const batchScript = calls => createScript(count => (count === 1 ? { calls } : { batches: DONE }))

/** One model call that says `count` deltas, `perYield` at a time. */
export function deltasScript(count, perYield) {
  const batches = []
  for (let i = 0; i < count; i += perYield)
    batches.push(Array.from({ length: perYield }, (_, k) => `w${(i + k) % 10} `))
  return createScript(() => ({ batches }))
}

/** How many messages a model was given. One of a script that `walks` looks at the text of each, as every adapter of a provider does. */
export function messagesIn(script, messages) {
  if (script.walks) for (const message of messages) script.characters = (script.characters ?? 0) + charactersOf(message)
  return messages.length
}

const charactersOf = ({ content = '' }) =>
  Array.isArray(content) ? content.reduce((sum, { text = '' }) => sum + text.length, 0) : String(content).length

const DONE = [['done']]
const FLOOD_LIMIT = 100_000

const immediate = () => new Promise(resolve => setImmediate(resolve))

/** The deaf end of a reply, one delta at a time. Stops only when the script is released, or after a great many. */
export async function* endless(reply, script) {
  if (reply.ending === 'hang') await script.released
  if (reply.ending !== 'flood') return
  for (let i = 1; i < FLOOD_LIMIT && !script.over; i++) {
    yield 'x'
    if (i % 16 === 0) await immediate()
  }
}

/** The reply as Turnbuckle's model port wants it; the bare loop reads the same. */
export const chunks = (script, count) => (script.asynchronous ? oneByOne(script, count) : inBatches(script, count))

async function* inBatches(script, count) {
  const reply = script.reply(count)
  if (reply.wait) await reply.wait
  if (reply.batches) for (const batch of reply.batches) yield batch.map(text => ({ type: 'text', text }))
  if (reply.ending) for await (const text of endless(reply, script)) yield [{ type: 'text', text }]
  script.ended()
  if (!reply.calls) yield [STOP]
  else if (reply.calls.length === 1) yield [reply.calls[0], ASKS]
  else yield [...reply.calls, ASKS]
}

async function* oneByOne(script, count) {
  const reply = script.reply(count)
  await (reply.wait ?? ARRIVED)
  if (reply.batches) for (const batch of reply.batches) for (const text of batch) yield { type: 'text', text }
  if (reply.ending) for await (const text of endless(reply, script)) yield { type: 'text', text }
  script.ended()
  if (reply.calls) for (const asked of reply.calls) yield asked
  yield reply.calls ? ASKS : STOP
}

const ARRIVED = Promise.resolve()
const STOP = { type: 'finish', reason: 'stop' }
const ASKS = { type: 'finish', reason: 'tool-calls' }
