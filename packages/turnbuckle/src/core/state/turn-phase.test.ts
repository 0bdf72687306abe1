import { expect, test } from 'vitest'
import { nextPhase, type TurnHappening, type TurnPhase } from './turn-phase.ts'

const phases: readonly TurnPhase[] = ['waiting', 'running', 'halting', 'settling', 'over', 'parked']
const happenings: readonly TurnHappening[] = ['begin', 'halt', 'liftHalt', 'settle', 'restart', 'end', 'park']

test.each<[TurnPhase, Partial<Record<TurnHappening, TurnPhase>>]>([
  ['waiting', { begin: 'running', end: 'over', park: 'parked' }],
  ['running', { halt: 'halting', settle: 'settling', end: 'over', park: 'parked' }],
  ['halting', { liftHalt: 'running', restart: 'running', end: 'over', park: 'parked' }],
  ['settling', { halt: 'halting', restart: 'running', end: 'over', park: 'parked' }],
  ['over', {}],
  ['parked', {}],
])('a turn that is %s changes by these happenings and no others', (phase, changes) => {
  const after = Object.fromEntries(happenings.map(happening => [happening, nextPhase(phase, happening)]))
  const unchanged = Object.fromEntries(happenings.map(happening => [happening, phase]))
  expect(after).toEqual({ ...unchanged, ...changes })
})

test('a turn ends or is parked from any phase, but for one that is over or parked already', () => {
  const alive = phases.filter(phase => phase !== 'over' && phase !== 'parked')
  expect(alive.map(phase => nextPhase(phase, 'end'))).toEqual(alive.map(() => 'over'))
  expect(alive.map(phase => nextPhase(phase, 'park'))).toEqual(alive.map(() => 'parked'))
  expect([nextPhase('over', 'park'), nextPhase('parked', 'end')]).toEqual(['over', 'parked'])
})
