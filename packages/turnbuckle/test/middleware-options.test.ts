import { createAgent, type Middleware, TurnbuckleError } from 'turnbuckle'
import * as ready from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { catalogue } from './middleware-catalogue.ts'

type Make = (...args: unknown[]) => unknown
const all = ready as unknown as Readonly<Record<string, Make>>
const model = scriptedModel([])
const nothing = () => {}
const sink = { append: nothing }

/**
 * For each middleware: what it does not take, as a program without types would write it, and what the message names.
 * `before`: what stands in front of its options, and is right.
 */
const table: Readonly<Record<string, { readonly before?: unknown[]; readonly bad: readonly [unknown[], string][] }>> = {
  stepLimit: {
    bad: [
      [[], 'needs max'],
      [['3'], 'as an object'],
      [[{ max: -1 }], 'max'],
      [[{ max: 3, scope: 'all' }], '"turn"'],
    ],
  },
  timeLimit: {
    bad: [
      [[], 'needs max'],
      [[Number.NaN], 'max'],
      [[{ max: '1s' }], 'a number'],
    ],
  },
  tokenLimit: {
    bad: [
      [[], 'needs max'],
      [[{ max: 3, count: 'both' }], 'count'],
    ],
  },
  costLimit: {
    bad: [
      [[], 'needs max'],
      [[{ max: 1, price: 3 }], 'price'],
      [[{ max: 1, price: { input: 3 } }], '{ input, output }'],
      [[{ max: 1, unknown: 'go' }], 'unknown'],
    ],
  },
  toolLimit: {
    bad: [
      [[], 'would do nothing'],
      [[{ tools: { search: 'five' } }], 'tools'],
      [[{ max: 1, atLimit: 'fail' }], 'atLimit'],
    ],
  },
  finishReason: {
    bad: [
      [[{ rules: { length: 'more' } }], 'rules'],
      [[{ rounds: '3' }], 'rounds'],
    ],
  },
  continuation: {
    bad: [
      [[], 'needs max'],
      [[{ max: 3, of: 'calls' }], '"steps"'],
      [[{ max: 3, more: 0 }], 'more'],
    ],
  },
  errorPolicy: {
    bad: [
      [[], 'needs policy'],
      [[{ tool: 'retry' }], '"stop"'],
      [[{ tols: 'stop' }], '"toolBlocked"'],
    ],
  },
  errorTracking: {
    bad: [
      [[0], 'max'],
      [[{ when: 'some' }], 'when'],
      [[{ statuses: 'error' }], 'statuses'],
      [[{ statuses: ['failed'] }], '"error" or'],
    ],
  },
  errorThreshold: {
    bad: [
      [[0], 'max'],
      [[{ kinds: ['tools'] }], 'kinds'],
    ],
  },
  circuitBreaker: {
    bad: [
      [[{ consecutive: 1 }], 'consecutive'],
      [[{ say: 'stop' }], 'say'],
      [[{ times: 3 }], 'consecutive'],
    ],
  },
  loopDetection: {
    bad: [
      [[{ rounds: 1 }], 'rounds'],
      [[{ longest: 'long' }], 'longest'],
    ],
  },
  retry: {
    bad: [
      [[{ times: -1 }], 'times'],
      [[{ kinds: { rateLimit: 'six' } }], 'kinds'],
      [[{ kinds: { ratelimit: 6 } }], '"rateLimit"'],
      [[{ jitter: 2 }], 'jitter'],
    ],
  },
  toolRetry: {
    bad: [
      [[{ tools: 'search' }], 'tools'],
      [[{ when: true }], 'when'],
    ],
  },
  fallback: {
    before: [[model]],
    bad: [
      [[], 'needs models'],
      [[[]], 'at least one'],
      [[['openai/gpt-5']], 'a model'],
      [[model], 'models'],
    ],
  },
  timeout: {
    bad: [
      [[], 'would do nothing'],
      [[{}], 'model, idle or tool'],
      [[{ model: '1s' }], 'model'],
    ],
  },
  rateLimit: {
    bad: [
      [[], 'needs limit'],
      [[{ limit: 0 }], 'limit'],
      [[{ limit: 1, of: 'step' }], 'of'],
      [[{ limit: 1, store: {} }], 'take()'],
    ],
  },
  modelCache: {
    bad: [
      [[{ store: new Map().keys() }], 'get() and set()'],
      [[{ ttlMs: '1h' }], 'ttlMs'],
    ],
  },
  toolCache: {
    bad: [
      [[], 'needs tools'],
      [[{ tools: 'weather' }], 'tools'],
    ],
  },
  approval: {
    bad: [
      [[{ rules: 3 }], 'no option "rules"'],
      [[{ allow: 'read_file' }], 'allow'],
      [[{ fallback: 'maybe' }], 'fallback'],
      [[{ escalate: [{ to: 'boss' }] }], '{ after, to }'],
      [[{ quorum: 0 }], 'quorum'],
      [[{ store: {} }], 'revoke()'],
    ],
  },
  clarify: {
    bad: [
      [[{ timeout: '1m' }], 'timeout'],
      [[{ max: -1 }], 'max'],
    ],
  },
  interruption: {
    bad: [
      [[], 'needs keys'],
      [[{ keys: 'escape' }], 'listen()'],
    ],
  },
  displayBuffer: {
    bad: [
      [[], 'needs display'],
      [[{ display: nothing }], 'show()'],
    ],
  },
  sanitize: {
    bad: [
      [[{ normalize: 'nfc' }], '"NFC"'],
      [[{ output: 'no' }], 'true or false'],
    ],
  },
  validateInput: {
    bad: [
      [[], 'would do nothing'],
      [[{ say: 'no' }], 'say'],
      [[{ pattern: 'a+' }], 'regular expression'],
      [[{ schema: {} }], 'Standard Schema'],
    ],
  },
  moderation: {
    bad: [
      [[], 'would do nothing'],
      [[{ say: 'no' }], 'words, patterns, model or check'],
      [[{ words: 'bad' }], 'words'],
      [[{ model: 'openai/x' }], 'a model'],
    ],
  },
  pii: {
    bad: [
      [[{ kinds: ['mail'] }], '"email"'],
      [[{ style: 'hide' }], 'style'],
      [[{ also: [/x/] }], '{ kind, pattern, longest }'],
    ],
  },
  secrets: {
    bad: [
      [[{ values: 'hunter2' }], 'values'],
      [[{ calls: 'allow' }], 'calls'],
    ],
  },
  redact: {
    before: [/x/, 'y'],
    bad: [
      [[5], 'pattern'],
      [[/x/, 5], 'replacement'],
      [[/x/, 'y', { longest: 0 }], 'longest'],
    ],
  },
  promptInjection: {
    bad: [
      [[{ judge: 'model' }], 'judge'],
      [[{ found: 'block' }], 'found'],
    ],
  },
  dryRun: {
    bad: [
      [[{ safe: 'read_file' }], 'safe'],
      [[{ onPlan: true }], 'onPlan'],
    ],
  },
  audit: {
    bad: [
      [[], 'needs sink'],
      [[{ sink: nothing }], 'append()'],
      [[{ sink, entry: {} }], 'entry'],
    ],
  },
  validateResult: {
    bad: [
      [[], 'needs results'],
      [[{ results: { look: 'text' } }], 'results'],
    ],
  },
  trim: {
    bad: [
      [[{ maxTokens: 'few' }], 'maxTokens'],
      [[{ maxTokns: 3 }], 'Did you mean "maxTokens"'],
    ],
  },
  summarize: {
    bad: [
      [[], 'needs model'],
      [[{ model: 'small' }], 'a model'],
    ],
  },
  clearToolResults: {
    bad: [
      [[{ keep: -1 }], 'keep'],
      [[{ except: 'plan' }], 'except'],
    ],
  },
  instructions: {
    before: ['x'],
    bad: [
      [[], 'needs write'],
      [[3], 'text, or a function'],
      [[{}], 'write'],
    ],
  },
  skills: {
    before: [[]],
    bad: [
      [[], 'needs list'],
      [[[{ name: 'x' }]], 'instructions'],
      [[[], { scope: 'step' }], 'scope'],
    ],
  },
  memory: {
    before: [{ recall: nothing }],
    bad: [
      [[], 'needs store'],
      [[{}], 'recall()'],
    ],
  },
  retrieve: {
    before: [nothing],
    bad: [
      [[], 'needs find'],
      [[{ search: nothing }], 'a function'],
    ],
  },
  agentsFile: {
    bad: [
      [[], 'needs read'],
      [[{ read: 'AGENTS.md' }], 'read'],
    ],
  },
  todo: { bad: [[[{ max: 0 }], 'max']] },
  toolSelect: {
    bad: [
      [[], 'needs model'],
      [[{ model, always: 'x' }], 'always'],
    ],
  },
  toolGroups: {
    before: [[]],
    bad: [
      [[], 'needs groups'],
      [[[{ name: 'x', description: 'y' }]], 'tools'],
    ],
  },
  promptCache: {
    bad: [
      [[{ ttl: '2h' }], 'ttl'],
      [[{ messages: 'all' }], 'messages'],
    ],
  },
  critic: {
    before: [model],
    bad: [
      [[], 'needs judge'],
      [[{}], 'a model'],
      [[nothing, { onReject: 'fail' }], 'onReject'],
    ],
  },
  critics: {
    before: [[{ judge: nothing }]],
    bad: [
      [[], 'needs list'],
      [[[]], 'at least one'],
      [[[nothing]], 'judge'],
      [[[{ judge: nothing }], { consensus: 2 }], 'consensus'],
    ],
  },
  refine: { bad: [[[{ until: 3 }], 'until']] },
  analysis: { bad: [[[{ after: 'ten' }], 'after']] },
  explore: {
    bad: [
      [[], 'needs judge'],
      [[{ judge: 'best' }], 'judge'],
      [[{ judge: nothing, variants: 2 }], 'variants'],
      [[{ judge: nothing, variants: [{}, { instruction: 'Be brief.' }] }], '{ instructions?'],
    ],
  },
  structured: {
    before: [z.string()],
    bad: [
      [[], 'needs schema'],
      [[{ type: 'object' }], 'Standard Schema'],
      [[z.string(), { repairs: 'two' }], 'repairs'],
    ],
  },
  logging: {
    bad: [
      [[{ level: 'verbose' }], '"debug"'],
      [[{ logger: { log: nothing } }], 'logger'],
    ],
  },
  metrics: {
    bad: [
      [[], 'needs into'],
      [[{}], 'record()'],
    ],
  },
  telemetry: {
    bad: [
      [[{ api: 'otel' }], 'api'],
      [[{ content: 'all' }], 'content'],
    ],
  },
  trace: {
    bad: [
      [[], 'needs into'],
      [[[]], 'record()'],
    ],
  },
  notify: {
    before: [nothing],
    bad: [
      [[], 'needs send'],
      [['https://example.com'], 'a function'],
      [[nothing, { on: 'turn.failed' }], 'on'],
    ],
  },
  sampledMonitor: {
    before: [nothing],
    bad: [
      [[], 'needs look'],
      [[nothing, { rate: 50 }], '0 to 1'],
    ],
  },
  tuner: {
    before: [nothing],
    bad: [
      [[], 'needs propose'],
      [[nothing, { rules: nothing }], 'rules'],
    ],
  },
}

function refusal(name: string, args: readonly unknown[]): TurnbuckleError {
  try {
    all[name]?.(...args)
  } catch (error) {
    if (error instanceof TurnbuckleError) return error
    throw error
  }
  throw new Error(`${name}(${JSON.stringify(args)}) was taken.`)
}

test('the table has every middleware', () => {
  expect(Object.keys(table).sort()).toEqual(Object.keys(catalogue).sort())
})

describe.each(Object.entries(table))('%s', (name, { bad }) => {
  test.each(bad)('(%j): %s', (args, says) => {
    const { code, message } = refusal(name, args)
    expect(code).toBe('option.invalid')
    expect(message).toContain(says)
  })
})

/** The others take one thing and no options. */
const withOptions = Object.entries(table).filter(([name]) => !['metrics', 'trace', 'errorPolicy'].includes(name))

test.each(withOptions)('%s: an option it does not have, and options that are none', (name, { before = [] }) => {
  const unknown = refusal(name, [...before, { nonsense: 1 }])
  expect(unknown.code).toBe('option.invalid')
  // The one that every agent has is checked in fewer words.
  if (name !== 'circuitBreaker') expect(unknown.message).toContain(`${name} has no option "nonsense"`)
  expect(refusal(name, [...before, 'nonsense']).code).toBe('option.invalid')
})

test.each<{ name: string; options?: object }>([
  { name: 'approval' },
  { name: 'pii' },
  { name: 'secrets' },
  { name: 'moderation', options: { words: ['x'] } },
  { name: 'validateInput', options: { maxLength: 9 } },
  { name: 'promptInjection' },
  { name: 'errorThreshold' },
  { name: 'memory' },
  { name: 'retrieve' },
  { name: 'notify' },
  { name: 'sampledMonitor' },
])('an agent may have several $name, by name', ({ name, options }) => {
  const make = (more: object) => all[name]?.(...(table[name]?.before ?? []), { ...options, ...more }) as Middleware
  expect(() => createAgent({ model, use: [make({}), make({})] })).toThrow('another name')
  const names = createAgent({ model, use: [make({}), make({ name: 'other' })] }).middleware.map(mw => mw.name)
  expect(names).toContain('other')
})
