import fc from 'fast-check'

// Plain data, so that a failing program is printed in full and can be made smaller.

const stages = ['Turn', 'Input', 'Step', 'Model', 'Detect', 'Append', 'Tools', 'Tool', 'Decide']
const hookNames = [
  ...stages.flatMap(stage => [`before${stage}`, `wrap${stage}`, `after${stage}`]),
  'onChunk',
  'onError',
  'onEvent',
]
const acts = [
  ...[
    'skip',
    'skipText',
    'block',
    'replace',
    'stop',
    'say',
    'again',
    'finish',
    'gotoModel',
    'gotoTools',
    'gotoNowhere',
  ],
  ...['rewindStep', 'rewindFirst', 'rewindSnapshot', 'fail', 'throw', 'nonsense', 'twice', 'noNext', 'dropNext'],
  ...['sleep', 'hang', 'ask', 'askFallback', 'interject', 'interrupt', 'append', 'insert', 'removeLast', 'replaceLast'],
  ...['reorder', 'snapshot', 'restore', 'generate', 'changeInput', 'rename', 'emit', 'forge', 'update', 'disable'],
  ...['skipCalls', 'replaceEnd', 'atOnce'],
] as const
export type Act = (typeof acts)[number]

export interface HookPlan {
  readonly hook: string
  readonly act: string
  /** Acts at this occurrence only; -1: at each. */
  readonly at: number
  readonly async: boolean
}
export interface OwnerPlan {
  readonly guard: boolean
  readonly priority: number
  readonly onFailure: 'open' | 'closed' | undefined
  readonly timeout: number | undefined
  readonly hooks: readonly HookPlan[]
}
export interface ReplyPlan {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly id: string | undefined; readonly args: unknown }[]
  readonly delayMs: number
  readonly error: string | undefined
  readonly finish: string | undefined
}
export interface Program {
  readonly owners: readonly OwnerPlan[]
  readonly script: readonly ReplyPlan[]
  readonly outside: readonly { readonly at: number; readonly do: 'interrupt' | 'interject' | 'answer' | 'abort' }[]
  readonly parallel: number
  /** The model runs the loop itself, through our tools. */
  readonly managed: boolean
}

const hook: fc.Arbitrary<HookPlan> = fc.record({
  hook: fc.constantFrom(...hookNames),
  act: fc.constantFrom(...acts),
  at: fc.constantFrom(-1, 0, 0, 1, 2),
  async: fc.boolean(),
})
const owner: fc.Arbitrary<OwnerPlan> = fc.record({
  guard: fc.boolean(),
  priority: fc.constantFrom(50, 100, 150),
  onFailure: fc.constantFrom(undefined, 'open' as const, 'closed' as const),
  timeout: fc.constantFrom(undefined, 50),
  hooks: fc.array(hook, { minLength: 1, maxLength: 3 }),
})
const call = fc.record({
  name: fc.constantFrom(
    'ok',
    'later',
    'throws',
    'hangs',
    'deaf',
    'slow',
    'alone',
    'limited',
    'odd',
    'interjects',
    'delegates',
    'unknown',
  ),
  id: fc.constantFrom(undefined, undefined, 'same'),
  args: fc.constantFrom<unknown>({}, { x: 1 }, '{"cut', 7),
})
const reply: fc.Arbitrary<ReplyPlan> = fc.record({
  text: fc.constantFrom('', 'Hm.', 'Let me see.'),
  calls: fc.array(call, { maxLength: 3 }),
  delayMs: fc.constantFrom(0, 0, 20),
  error: fc.constantFrom(undefined, undefined, undefined, 'cut'),
  finish: fc.constantFrom(undefined, undefined, 'length'),
})
const outside = fc.record({
  at: fc.integer({ min: 0, max: 60 }),
  do: fc.constantFrom('interrupt' as const, 'interject' as const, 'answer' as const, 'abort' as const),
})

export const anyProgram: fc.Arbitrary<Program> = fc.record({
  owners: fc.array(owner, { maxLength: 3 }),
  script: fc.array(reply, { minLength: 1, maxLength: 3 }),
  outside: fc.array(outside, { maxLength: 3 }),
  parallel: fc.constantFrom(1, 2, Infinity),
  managed: fc.constantFrom(false, false, false, true),
})
