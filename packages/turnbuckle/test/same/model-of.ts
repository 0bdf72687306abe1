import type { Chunk, Message, Model, Prompt, StreamOptions } from 'turnbuckle'
import { type Life, never } from './life.ts'
import type { CallPlan, ReplyPlan } from './program.ts'

const theEnd: ReplyPlan = {
  texts: ['The end.'],
  calls: [],
  delay: 0,
  gap: 0,
  usage: 'tokens',
  finish: 'stop',
  inArrays: false,
  hangs: false,
}

/** The model of a program: says what its script says. */
export function modelOf(life: Life): Model {
  const { loop } = life.program
  if (loop === 'intercept') return { id: 'intercept', loop, stream: (_prompt, options) => intercepted(life, options) }
  if (loop === 'observe') return { id: 'observe', loop, stream: (_prompt, options) => observed(life, options) }
  return {
    id: 'plain',
    stream(prompt, options) {
      saw(life, 'prompt', prompt)
      return chunks(life, nextReply(life, prompt), options)
    },
  }
}

/** A second model, for fallbacks and critics. */
export const spareModel = (life: Life): Model => ({
  id: 'spare',
  async *stream(prompt) {
    saw(life, 'spare prompt', prompt)
    yield { type: 'text', text: '{"accepted": false, "advice": "Spare."}' }
    yield { type: 'finish', reason: 'stop' }
  },
})

/** A hook's own model. */
export const judgeModel = (life: Life, ms: number, broken = false): Model => ({
  id: 'judge',
  async *stream(prompt, { signal }) {
    saw(life, 'judge prompt', prompt)
    if (ms % 2) await pause(life, ms, signal)
    yield { type: 'text', text: 'Judged.' }
    if (broken) throw new Error('no judgement')
    yield { type: 'usage', inputTokens: 3, outputTokens: 1, cost: 0.01 }
    yield { type: 'finish', reason: 'stop' }
  },
})

function saw(life: Life, what: string, { messages, tools, instructions, params }: Prompt): void {
  const names = tools.map(({ name }) => name).join(' ')
  life.say('prompt', what, { messages, names, instructions, params })
  life.onPoint('model')
}

function nextReply(life: Life, { messages }: Prompt): ReplyPlan {
  const { script, replies } = life.program
  const count = life.count('model')
  const said = messages.filter(({ role }: Message) => role === 'assistant').length
  return [...script, theEnd][(replies === 'path' ? said : count) % (script.length + 1)] ?? theEnd
}

async function* chunks(life: Life, reply: ReplyPlan, options: StreamOptions): AsyncGenerator<Chunk | readonly Chunk[]> {
  if (life.dead) await never()
  if (reply.delay) await pause(life, reply.delay, options.signal)
  if (reply.fails === 'rate') throw Object.assign(new Error('too many'), { status: 429 })
  if (reply.fails === 'start') throw new Error('did not start')
  const all = [...chunksOf(life, reply)]
  if (reply.inArrays) yield* [all.slice(0, 2), all.slice(2)]
  else yield* oneByOne(life, reply, options, all)
  if (reply.hangs) await never()
  if (reply.fails === 'end') throw new Error('cut at the end')
}

async function* oneByOne(
  life: Life,
  { fails, gap }: ReplyPlan,
  { signal }: StreamOptions,
  all: readonly Chunk[],
): AsyncGenerator<Chunk> {
  for (const [i, chunk] of all.entries()) {
    if (fails === 'middle' && i === 1) throw new Error('cut in the middle')
    if (gap && i) await pause(life, gap, signal)
    yield chunk
  }
}

function* chunksOf(life: Life, reply: ReplyPlan): Generator<Chunk> {
  if (reply.reasoning) yield { type: 'reasoning', text: reply.reasoning }
  for (const text of reply.texts) yield { type: 'text', text }
  if (reply.extra) yield extra(reply.extra)
  for (const call of reply.calls) yield* callChunks(life, call)
  if (reply.usage !== 'none') yield { type: 'usage', inputTokens: 5, outputTokens: 2, ...cost(reply) }
  if (reply.usage === 'twice') yield { type: 'usage', inputTokens: 6, outputTokens: 3 }
  if (reply.finish) yield { type: 'finish', reason: reply.finish }
}
const cost = ({ usage }: ReplyPlan): object => (usage === 'cost' ? { cost: 0.25 } : {})

function* callChunks(life: Life, { name, id, args, calling }: CallPlan): Generator<Chunk> {
  const chosen = id ?? `call_${life.number}_${life.count('call')}`
  if (calling) {
    yield { type: 'calling', id: chosen, name, text: '{"x"' }
    yield { type: 'calling', id: chosen, name, text: ': 1}' }
  }
  yield { type: 'call', id: chosen, name, args }
}

function extra(what: string): Chunk {
  if (what === 'file') return { type: 'file', mediaType: 'text/plain', data: 'aGk=' }
  if (what === 'source') return { type: 'source', url: 'https://example.org', title: 'Example' }
  if (what === 'warning') return { type: 'warning', text: 'No such parameter.' }
  if (what === 'result') return { type: 'result', id: 'provider_1', name: 'search', status: 'ok', value: 'found' }
  if (what === 'meta') return { type: 'text', text: 'Signed.', meta: { signature: 's' } }
  return { type: 'odd' } as unknown as Chunk
}

async function* intercepted(life: Life, { signal, runTools }: StreamOptions): AsyncGenerator<Chunk> {
  for (const reply of [...life.program.script, theEnd]) {
    if (reply.delay) await pause(life, reply.delay, signal)
    for (const text of reply.texts) yield { type: 'text', text }
    if (reply.calls.length) {
      const calls = reply.calls.map(({ name, id, args }) => ({ id: id ?? `call_${life.count('call')}`, name, args }))
      life.say('prompt', 'returned', await runTools?.(calls))
    }
    if (reply.fails) throw new Error(reply.fails)
    if (reply.usage !== 'none') yield { type: 'usage', inputTokens: 5, outputTokens: 2 }
  }
}

async function* observed(life: Life, { signal }: StreamOptions): AsyncGenerator<Chunk> {
  for (const reply of [...life.program.script, theEnd]) {
    if (reply.delay) await pause(life, reply.delay, signal)
    for (const text of reply.texts) yield { type: 'text', text }
    const calls = reply.calls.map(call => ({ ...call, id: call.id || `call_${life.count('call')}` }))
    for (const { name, id, args } of calls) yield { type: 'call', id, name, args }
    for (const { name, id } of calls) yield { type: 'result', id, name, status: 'ok', value: `${name} ran there` }
    if (reply.fails) throw new Error(reply.fails)
  }
}

/** Ends early when the signal does. */
function pause(life: Life, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = () => {
      off()
      reject(signal.reason)
    }
    const off = life.world.after(ms, () => {
      signal.removeEventListener('abort', cut)
      resolve()
    })
    signal.addEventListener('abort', cut, { once: true })
  })
}
