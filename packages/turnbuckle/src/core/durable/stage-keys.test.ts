import { describe, expect, test } from 'vitest'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { StageKeys } from './stage-keys.ts'

interface Place {
  readonly stage: string
  readonly parent?: StageFrame
  readonly call?: string
  readonly hooks?: boolean
}

/** The members of a frame that a key is made of, in step 0 of turn `t`. */
const frame = ({ stage, parent, call, hooks = true }: Place): StageFrame =>
  ({
    turn: { id: 't', step: { index: 0 } },
    stage: { name: stage, takes: call ? 'call' : undefined },
    parent,
    call: call ? { id: call } : undefined,
    hooks: { empty: !hooks },
  }) as unknown as StageFrame

describe('the key of a stage', () => {
  test('has its parents, its step and its name, and stays the same for one frame', () => {
    const keys = new StageKeys()
    const turn = frame({ stage: 'turn' })
    const model = frame({ stage: 'model', parent: turn })
    expect(keys.keyOf(model)).toBe('t/s0.turn#0/s0.model#0')
    expect(keys.keyOf(model)).toBe('t/s0.turn#0/s0.model#0')
  })

  test('counts the occurrences at one place', () => {
    const keys = new StageKeys()
    const turn = frame({ stage: 'turn' })
    keys.keyOf(frame({ stage: 'append', parent: turn }))
    expect(keys.keyOf(frame({ stage: 'append', parent: turn }))).toBe('t/s0.turn#0/s0.append#1')
  })

  test('names a call by its id, whichever comes first', () => {
    const [one, other] = [new StageKeys(), new StageKeys()]
    const calls = () => ['a', 'b'].map(call => frame({ stage: 'tool', call }))
    const forth = calls().map(call => one.keyOf(call))
    const back = calls()
      .reverse()
      .map(call => other.keyOf(call))
    expect(forth).toEqual(['t/tool:a#0', 't/tool:b#0'])
    expect(back.reverse()).toEqual(forth)
  })
})

test('an occurrence is taken once; the next at its place gets the next key', () => {
  const keys = new StageKeys()
  expect([keys.take('t/s0.turn#0'), keys.take('t/s0.turn#0')]).toEqual([true, false])
  expect(keys.keyOf(frame({ stage: 'turn' }))).toBe('t/s0.turn#1')
})

test('a turn that the first version began leaves out parents without hooks, unless its keys have them', () => {
  const turn = frame({ stage: 'turn' })
  const parents = ['step', 'tools'].map(stage => frame({ stage, parent: turn, hooks: false }))
  const inside = parents.map(parent => frame({ stage: 'append', parent }))
  const keys = new StageKeys(new Set(['tools']))
  expect(inside.map(each => keys.keyOf(each))).toEqual([
    't/s0.turn#0/s0.append#0',
    't/s0.turn#0/s0.tools#0/s0.append#0',
  ])
})
