import type { Middleware, Model, Schema, Tool, ToolContext } from 'turnbuckle'
import { type Life, never, refusal } from './life.ts'

type Run = (life: Life, args: unknown, ctx: ToolContext) => unknown

/** Neither plain data nor a tree. */
function oddValue(): object {
  const odd = { self: [] as unknown[], big: 1n, when: new Date(0), nothing: undefined }
  odd.self.push(odd)
  return odd
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const runs: Readonly<Record<string, Run>> = {
  ok: (_life, args) => args ?? 'none',
  later: async () => 'later',
  throws: () => {
    throw new Error('broken')
  },
  throwsLater: async life => {
    await life.sleep(300)
    throw Object.assign(new Error('broken later'), { code: 'E' })
  },
  throwsOdd: () => {
    throw 'words'
  },
  returnsError: () => new Error('returned'),
  nothing: () => undefined,
  notANumber: () => Number.NaN,
  big: () => 12n,
  odd: oddValue,
  huge: () => 'x'.repeat(300),
  hugeList: () => Array.from({ length: 60 }, (_, i) => ({ i, text: 'many' })),
  file: () => ({ type: 'file', mediaType: 'text/plain', data: 'aGk=' }),
  functional: () => () => {},
  asResult: () => ({ status: 'denied', value: 'by the tool' }),
  hangs: (_life, _args, { signal }) => aborted(signal),
  deaf: never,
  slow: async (life, _args, { call }) => {
    await life.sleep(1500, call.id)
    return 'slow'
  },
  late: async (life, _args, { call }) => {
    await life.sleep(90_000, call.id)
    return 'late'
  },
  alone: async (life, _args, { call }) => {
    await life.sleep(200, call.id)
    return 'alone'
  },
  limited: never,
  limitedOk: async (life, _args, { call }) => {
    await life.sleep(50, call.id)
    return 'in time'
  },
  interjects: (_life, _args, ctx) => {
    ctx.interject('From a tool.')
    return 'said'
  },
  progress: async (life, _args, ctx) => {
    ctx.emit({ type: 'tool.progress', done: 0.5 } as never)
    await life.sleep(100, ctx.call.id)
    ctx.emit({ type: 'custom.news', from: 'tool' })
    return 'done'
  },
  emitsLate: (life, _args, ctx) => {
    life
      .sleep(2500, ctx.call.id)
      .then(() => {
        life.say('tool', 'emitted late', undefined, ctx.call.id)
        ctx.emit({ type: 'custom.news', from: 'a tool that has returned' })
        ctx.interject('From a tool that has returned.')
      })
      .catch(error => life.say('tool', `emit refused ${refusal(error)}`, undefined, ctx.call.id))
    return 'returned'
  },
  looks: (_life, _args, { path, tree, step, idempotencyKey }) => [path.length, tree.length, step, idempotencyKey],
  checked: (_life, args) => args,
  checkedLater: (_life, args) => args,
  again: async (life, _args, { call }) => {
    await life.sleep(700, call.id)
    return 'idempotent'
  },
}
const sequential = ['alone']
const idempotent = ['again', 'ok', 'slow', 'looks']
const timeouts: Readonly<Record<string, number>> = { limited: 400, limitedOk: 900, hangs: 7000 }

/** `missing` is no tool; `delegates` is a sub-agent. */
export const toolNames: readonly string[] = [
  ...Object.keys(runs),
  'delegates',
  'delegates',
  'missing',
  'slow',
  'ok',
  'slow',
]

/** Takes `{ x: number }`, as a Standard Schema. */
const numberSchema = (later: boolean): Schema<unknown> => {
  const check = (value: unknown) =>
    typeof (value as { x?: unknown } | null)?.x === 'number'
      ? { value }
      : { issues: [{ message: 'Expected a number.', path: ['x'] }] }
  const validate = later ? async (value: unknown) => check(value) : check
  return { '~standard': { version: 1, vendor: 'same', validate } }
}

/** The tools that its script names, and a few that every agent has. */
export function toolNamesOf({ program }: Life): readonly string[] {
  const named = program.script.flatMap(({ calls }) => calls.map(({ name }) => name))
  return [...new Set(['ok', 'later', 'slow', ...named])].filter(name => name in runs || name === 'delegates')
}

export function plainTools(life: Life, names: readonly string[]): Tool[] {
  const { tool } = life.library.root
  const { batches } = life.program
  const known = names.flatMap(name => (runs[name] ? [[name, runs[name]] as const] : []))
  return known.map(([name, run]) =>
    tool({
      name,
      description: `It is ${name}.`,
      ...(name.startsWith('checked')
        ? { input: numberSchema(name === 'checkedLater'), schema: { type: 'object' } }
        : {}),
      sequential: sequential.includes(name),
      idempotent: idempotent.includes(name),
      ...(timeouts[name] ? { timeout: timeouts[name] } : {}),
      maxResult: name.startsWith('huge') ? 100 : 5000,
      run: (args, ctx) => begin(life, name, args, ctx, batches === 'paced' ? paced(run) : run),
    }),
  )
}

function begin(life: Life, name: string, args: unknown, ctx: ToolContext, run: Run): unknown {
  if (life.dead || life.dying) return never()
  life.say('tool', name, [args, ctx.call.id, ctx.step, ctx.path.length, ctx.idempotencyKey], ctx.call.id)
  life.onPoint('tool')
  return life.dead || life.dying ? never() : run(life, args, ctx)
}

/** Begins in an instant of its own: what calls do side by side has one order in every version. */
const paced =
  (run: Run): Run =>
  async (life, args, ctx) => {
    await life.sleep(10, ctx.call.id)
    return run(life, args, ctx)
  }

/** A sub-agent as a tool. It begins in an instant of its own too. */
export function delegate(life: Life, use: readonly Middleware[], store: object): Tool {
  const { agentTool, createAgent } = life.library.root
  const { clock } = life.world
  const ids = { next: (kind: string) => `${kind}_${life.number}_below${life.count(`below ${kind}`)}` }
  const tools = plainTools(life, ['slow', 'throws', 'ok'])
  const agent = createAgent({ name: 'below', model: subModel(life), tools, use, clock, ids, breaker: false, ...store })
  const options = { name: 'delegates', schema: {}, maxSteps: 3, deny: ['throws'], budget: { tokens: 60 } }
  const { seed } = life.program
  const allow = { name: 'delegates', schema: {}, allow: [/^s/], budget: { cost: 1 } }
  const made = agentTool(agent, seed % 3 ? (seed % 2 ? options : { name: 'delegates', schema: {} }) : allow)
  const run: Run = (_life, args, ctx) => made.run(args as never, ctx)
  return { ...made, run: (args, ctx) => begin(life, 'delegates', args, ctx, paced(run)) }
}

const subModel = (life: Life): Model => ({
  id: 'below',
  async *stream({ messages }) {
    life.say('prompt', 'below', messages)
    yield { type: 'text', text: 'Below.' }
    if (messages.at(-1)?.role === 'user')
      for (const name of ['slow', 'throws']) yield { type: 'call', id: `below_${name}`, name, args: {} }
    if (life.program.seed % 5) yield { type: 'usage', inputTokens: 20, outputTokens: 4 }
    yield { type: 'finish', reason: 'stop' }
  },
})
