import { actNames, chunkActNames, observerActNames } from './acts.ts'
import type {
  CallPlan,
  CrashPlan,
  HookPlan,
  Kind,
  OwnerPlan,
  PersonPlan,
  PipelinePlan,
  Program,
  ReplyPlan,
  Settings,
  TurnPlan,
} from './program.ts'
import { Random } from './random.ts'
import { readyNames } from './ready-made.ts'
import { type Theme, themes } from './themes.ts'
import { toolNames } from './tools.ts'

const stages = ['Turn', 'Input', 'Step', 'Model', 'Detect', 'Append', 'Tools', 'Tool', 'Decide', 'Generate']
const points = ['before', 'wrap', 'after']
const observers = ['onChunk', 'onChunk', 'onError', 'onError', 'onEvent', 'onOpen', 'onTrace']
const eventTypes = [
  ...['turn.started', 'message.added', 'message.started', 'tool.pending', 'tool.executing', 'tool.completed'],
  ...['tool.failed', 'request.opened', 'usage', 'history.edited', 'head.moved', 'custom.news', 'hook.failed'],
  ...['message.discarded', 'interjection.queued', 'interjection.applied', 'request.answered', 'tool.progress'],
]
const deeds = [
  ...['interrupt', 'interject', 'answer', 'answer', 'deny', 'edit', 'expire', 'title', 'emit', 'use', 'unuse'],
  ...['disable', 'enable', 'badAnswer', 'breakIn'],
]
/** Only at a time: a second turn goes on while the first one waits. */
const slowDeeds = ['beside', 'abort', 'checkout', 'send', 'join', 'join', 'delete', 'close']

/** The program of a seed. The same seed gives the same program in every version of the library. */
export function anyProgram(seed: number, kind: Kind): Program {
  const random = new Random(seed)
  const dies = kind === 'crashed' || kind === 'across'
  const pipeline = ending(random.chance(0.2) ? random.list(1, 2, () => pipelineOp(random)) : [])
  const own = hasOwnStage(pipeline) ? ['Moderate'] : []
  const batches = random.pick(['serial', 'paced'] as const)
  const theme = random.pick(themes)
  return {
    seed,
    kind,
    owners: random.list(theme ? 1 : 0, 3, () => owner(random, own, theme)),
    ready: random.chance(0.2) ? random.list(1, 2, () => random.pick(readyNames)) : [],
    script: random.list(1, 4, () => reply(random)),
    replies: dies ? 'path' : random.pick(['path', 'count'] as const),
    loop: kind === 'managed' ? random.pick(['intercept', 'intercept', 'observe'] as const) : 'plain',
    pipeline,
    errors: random.chance(0.2) ? random.list(1, 3, () => policy(random)) : [],
    batches,
    parallel: batches === 'serial' ? 1 : random.pick([2, 3, 9]),
    settings: settings(random),
    history: random.chance(0.2) ? random.list(1, 3, () => random.pick(histories)) : [],
    turns: random.list(1, random.chance(0.3) ? 3 : 1, () => turn(random, own)),
    people: [...random.list(0, random.chance(0.6) ? 0 : 3, () => person(random)), ...answers(random, theme)],
    store: storeOf(random, kind),
    crashes: dies ? random.list(1, kind === 'across' ? 1 : 2, () => crash(random)) : [],
  }
}

const histories = ['user', 'assistant', 'calls', 'open', 'system', 'orphan', 'named', 'file']

function storeOf(random: Random, kind: Kind): Program['store'] {
  if (kind === 'across') return 'sqlite'
  return kind === 'core' || kind === 'managed' ? 'none' : random.pick(['memory', 'memory', 'sqlite', 'later'] as const)
}

const hookName = (random: Random, own: readonly string[]): string =>
  random.chance(0.2) ? random.pick(observers) : random.pick(points) + random.pick([...stages, ...own, ...own])

function actsAt(random: Random, hook: string): readonly string[] {
  if (hook === 'onChunk' && random.chance(0.6)) return chunkActNames
  return /^on(Event|Open|Trace)$/.test(hook) ? observerActNames : actNames
}

function hook(random: Random, own: readonly string[], theme: Theme | undefined): HookPlan {
  const themed = theme && random.chance(0.85) ? theme : undefined
  const name = themed ? random.pick(themed.hooks) : hookName(random, own)
  const wait = random.pick(['none', 'none', 'none', 'micro', 'ticks'] as const)
  return {
    hook: name,
    act: random.pick(themed ? themed.acts : actsAt(random, name)),
    at: random.pick([-1, 0, 0, 0, 1, 1, 2, 3]),
    wait: wait === 'ticks' ? random.ticks(4000) : wait,
    pick: random.ticks(6000),
  }
}

function owner(random: Random, own: readonly string[], theme?: Theme): OwnerPlan {
  const watches = random.chance(0.18) && random.pick(['stages', 'stages', 'all'] as const)
  return {
    guard: random.chance(theme?.guards ?? 0.2),
    priority: random.pick([50, 100, 100, 100, 150]),
    ...(random.chance(0.15) ? { onFailure: random.pick(['open', 'closed'] as const) } : {}),
    ...(random.chance(0.1) ? { timeout: random.ticks(3000) } : {}),
    ...(random.chance(0.1) ? { tools: random.list(1, 3, () => random.pick(toolNames)) } : {}),
    ...(random.chance(0.5) ? { scope: random.pick(['turn', 'branch', 'conversation'] as const) } : {}),
    watches,
    hooks: watches ? [] : random.list(1, theme ? 6 : 4, () => hook(random, own, theme)),
  }
}

/** People who answer what the theme has hooks ask, at once or a while later. */
function answers(random: Random, theme: Theme | undefined): PersonPlan[] {
  if (!theme?.answers.length) return []
  return random.list(1, 3, () => ({
    when: random.chance(0.7) ? { event: 'request.opened', nth: random.pick([1, 1, 2, 3]) } : { ms: random.ticks(9000) },
    does: random.pick(theme.answers),
    pick: random.below(30),
  }))
}

function call(random: Random): CallPlan {
  return {
    name: random.pick(toolNames),
    ...(random.chance(0.12) ? { id: random.pick(['same', 'call_1_1', '']) } : {}),
    args: random.pick<unknown>([{}, {}, { x: 1 }, { x: 1 }, { x: 'no' }, '{"x":2}', '{"cut', 7, null]),
    calling: random.chance(0.2),
  }
}

function reply(random: Random): ReplyPlan {
  const share = random.pick([0, 0.05, 0.3])
  return {
    texts: random.list(0, 2, () => random.pick(['Hm. ', 'Let me see.', 'Well', ' and so on'])),
    ...(random.chance(0.15) ? { reasoning: 'I think.' } : {}),
    calls: random.chance(0.7) ? random.list(1, random.pick([1, 1, 2, 4]), () => call(random)) : [],
    ...(random.chance(0.08) ? { extra: random.pick(['file', 'source', 'warning', 'result', 'meta', 'odd']) } : {}),
    delay: random.pick([0, 0, random.ticks(3000)]),
    gap: random.pick([0, 0, 0, random.ticks(800)]),
    ...(random.chance(share) ? { fails: random.pick(['start', 'middle', 'end', 'rate'] as const) } : {}),
    usage: random.pick(['none', 'tokens', 'tokens', 'cost', 'twice'] as const),
    ...(random.chance(0.9) ? { finish: random.pick(['stop', 'stop', 'tool-calls', 'length', 'content-filter']) } : {}),
    inArrays: random.chance(0.2),
    hangs: random.chance(0.02),
  }
}

function pipelineOp(random: Random): PipelinePlan {
  const op = random.pick(['before', 'after', 'before', 'after', 'replace', 'remove', 'performance', 'debug'] as const)
  return {
    op,
    stage: random.pick(['input', 'step', 'model', 'detect', 'append', 'tools', 'decide', 'tool', 'turn']),
    does: random.pick(['pass', 'pass', 'text', 'nothing', 'throw', 'sleep', 'emit', 'ask', 'micro', 'edit']),
  }
}

/** Steps that call no model are not counted: where a stage of the program's own decides on them too, a turn would never end. */
function ending(plans: PipelinePlan[]): PipelinePlan[] {
  const hasModel = !plans.some(({ op, stage }) => (op === 'remove' || op === 'replace') && stage === 'model')
  return plans.filter(({ op, stage }) => hasModel || op !== 'replace' || stage !== 'decide')
}

const errorKinds = ['model', 'rateLimit', 'timeout', 'tool', 'toolBlocked', 'validation', 'hook', 'unknown']
const policy = (random: Random): readonly [string, 'stop' | 'ignore'] => [
  random.pick(errorKinds),
  random.pick(['stop', 'ignore'] as const),
]

const settings = (random: Random): Settings => ({
  maxSteps: random.pick([12, 12, 12, 1, 2]),
  breaker: random.chance(0.2),
  instructions: random.pick(['', 'Be brief.']),
  cleanupMs: random.pick([5000, 5000, 1]),
  maxDepth: random.pick([8, 8, 2]),
})

const turn = (random: Random, own: readonly string[]): TurnPlan => ({
  place: random.pick(['head', 'head', 'head', 'fork', 'checkout', 'root'] as const),
  pick: random.below(30),
  text: random.pick(['Go.', 'And now?', 'Once more.']),
  ...(random.chance(0.06) ? { file: random.pick(['text', 'bytes', 'url'] as const) } : {}),
  ...(random.chance(0.08) ? { use: owner(random, own) } : {}),
  tag: random.chance(0.1),
})

function person(random: Random): PersonPlan {
  const timed = random.chance(0.5)
  return {
    when: timed ? { ms: random.ticks(9000) } : { event: random.pick(eventTypes), nth: random.pick([1, 1, 1, 2, 3]) },
    does: random.pick(timed ? [...deeds, ...slowDeeds] : deeds),
    pick: random.below(30),
  }
}

function crash(random: Random): CrashPlan {
  const at = random.pick(['commit', 'commit', 'time', 'tool', 'model', 'hook', 'close'] as const)
  const n =
    at === 'time' || at === 'close' ? random.ticks(9000) : 1 + random.below(at === 'tool' || at === 'model' ? 3 : 14)
  return { at, n, done: random.chance(0.5) }
}

/** True when the pipeline has a stage of the program's own in the end; `tool` and `turn` are no places for one. */
function hasOwnStage(plans: readonly PipelinePlan[]): boolean {
  const last = plans.findLastIndex(({ op }) => op === 'performance' || op === 'debug')
  const removed = new Set(plans.slice(last + 1).flatMap(({ op, stage }) => (op === 'remove' ? [stage] : [])))
  return plans
    .slice(last + 1)
    .some(
      ({ op, stage }) =>
        (op === 'before' || op === 'after') && !['tool', 'turn'].includes(stage) && !removed.has(stage),
    )
}
