import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  type ConversationLifecycle,
  type Happening,
  type LifecycleAction,
  mustReadOn,
  nextState,
  transitions,
} from './conversation-lifecycle.ts'

const states = Object.keys(transitions) as ConversationLifecycle[]
const happenings: readonly Happening[] = [
  'opened',
  'openedWithLeftTurns',
  'fellBehind',
  'writeRefused',
  'writeFailed',
  'turnCutOff',
  'turnsAbandoned',
  'readOn',
  'unused',
  'deleted',
]
const page = readFileSync(new URL('../../../../../docs/server-conversations.md', import.meta.url), 'utf8')

test.each<{ name: string; given: readonly Happening[]; ends: ConversationLifecycle; does: readonly LifecycleAction[] }>(
  [
    {
      name: 'opened after a crash resumes the turns left',
      given: ['openedWithLeftTurns'],
      ends: 'current',
      does: ['resumeTurns'],
    },
    {
      name: 'behind its log reads on and keeps a handle that a turn runs on',
      given: ['opened', 'fellBehind', 'readOn'],
      ends: 'current',
      does: ['replaceIdleHandle'],
    },
    {
      name: 'whose turn another process holds asks who works on it',
      given: ['opened', 'fellBehind', 'writeRefused'],
      ends: 'behind',
      does: ['reportLostTurn'],
    },
    {
      name: 'that could not be written reads on with a new handle',
      given: ['opened', 'fellBehind', 'writeFailed', 'readOn'],
      ends: 'current',
      does: ['reportLostTurn', 'replaceHandle', 'forgetGrowingReplies'],
    },
    {
      name: 'with a turn cut off resumes it, and asks nobody',
      given: ['opened', 'fellBehind', 'turnCutOff', 'writeFailed', 'readOn'],
      ends: 'current',
      does: ['replaceHandle', 'forgetGrowingReplies', 'resumeTurns'],
    },
    {
      name: 'with abandoned turns takes them over',
      given: ['opened', 'turnsAbandoned', 'readOn'],
      ends: 'current',
      does: ['replaceIdleHandle', 'resumeTurns'],
    },
    {
      name: 'that takes over is kept in memory',
      given: ['opened', 'turnsAbandoned', 'unused'],
      ends: 'takingOver',
      does: [],
    },
    {
      name: 'broken while it takes over still resumes',
      given: ['opened', 'turnsAbandoned', 'writeFailed', 'readOn'],
      ends: 'current',
      does: ['reportLostTurn', 'replaceHandle', 'forgetGrowingReplies', 'resumeTurns'],
    },
    { name: 'unused is let go', given: ['opened', 'unused'], ends: 'letGo', does: ['stopListening'] },
    {
      name: 'deleted tells its followers once',
      given: ['opened', 'deleted', 'deleted'],
      ends: 'deleted',
      does: ['stopListening', 'tellDeleted'],
    },
  ],
)('a conversation $name', ({ given, ends, does }) => {
  const { state, actions } = run(given)
  expect(state).toBe(ends)
  expect(actions).toEqual(does)
})

test('random sequences of happenings keep every rule of the lifecycle', () => {
  const random = numbers(7)
  for (let round = 0; round < 300; round++) {
    let state: ConversationLifecycle = 'opening'
    for (let i = 0; i < 20; i++) {
      const happening = happenings[Math.floor(random() * happenings.length)] ?? 'opened'
      const { to, actions } = nextState(state, happening)
      checkRules(state, happening, to, actions)
      state = to
    }
  }
})

function checkRules(
  from: ConversationLifecycle,
  happening: Happening,
  to: ConversationLifecycle,
  actions: readonly LifecycleAction[],
): void {
  const told = `${from} × ${happening} → ${to}: ${actions.join(', ')}`
  if (from === 'deleted' || from === 'letGo') expect([to, actions.length], told).toEqual([from, 0])
  if (from !== 'opening') expect(to, told).not.toBe('opening')
  if (happening === 'readOn' && mustReadOn(from)) expect(to, told).toBe('current')
  const resumes = ['takingOver', 'cutOff'].includes(from) ? happening === 'readOn' : happening === 'openedWithLeftTurns'
  if (actions.includes('resumeTurns')) expect(resumes, told).toBe(true)
  if (actions.includes('reportLostTurn')) expect(from, told).not.toBe('cutOff')
  if (actions.includes('tellDeleted')) expect(to, told).toBe('deleted')
  // Growing replies are dropped with the handle that wrote them, and never with a turn that still runs.
  expect(actions.includes('forgetGrowingReplies'), told).toBe(actions.includes('replaceHandle'))
  // A turn that is to go on is not forgotten before the log was read.
  if (['takingOver', 'cutOff'].includes(from) && !['readOn', 'deleted', 'unused'].includes(happening))
    expect(['takingOver', 'cutOff'], told).toContain(to)
}

test('the diagram of docs/server-conversations.md is the table', () => {
  const lines = states.flatMap(from =>
    Object.entries(transitions[from]).map(([happening, { to }]) => `${from} --> ${to}: ${happening}`),
  )
  const drawn = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const arrows = drawn.split('\n').map(line => line.trim())
  expect(arrows.filter(line => line.includes('-->') && !line.includes('[*]')).sort()).toEqual(lines.sort())
})

test.each([...states.map(name => `**${name}**`), ...happenings.map(name => `\`${name}\``)])(
  '%s is explained in docs/server-conversations.md',
  name => expect(page).toContain(`| ${name} |`),
)

function run(given: readonly Happening[]): { state: ConversationLifecycle; actions: LifecycleAction[] } {
  let state: ConversationLifecycle = 'opening'
  const actions: LifecycleAction[] = []
  for (const happening of given) {
    const next = nextState(state, happening)
    state = next.to
    actions.push(...next.actions)
  }
  return { state, actions }
}

/** Numbers between 0 and 1, the same ones for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
