import { expect, test } from 'vitest'
import { TurnbuckleError } from '../base/errors.ts'
import { builtInStages, errorKindIn, stepOrder, turnOrder } from './built-in-stages.ts'

const all = [...builtInStages.values()]
const named = (fits: (stage: (typeof all)[number]) => unknown) => all.filter(fits).map(({ name }) => name)

test('there are ten stages, each under its own name and described', () => {
  expect([...builtInStages.keys()]).toEqual([
    ...['turn', 'input', 'step', 'model', 'detect', 'append', 'tools', 'tool', 'decide', 'generate'],
  ])
  expect(
    all.every(({ name, builtIn, description }) => builtInStages.get(name)?.name === name && builtIn && description),
  ).toBe(true)
})

test('all have one shape', () => {
  expect(new Set(all.map(stage => Object.keys(stage).sort().join())).size).toBe(1)
})

test('what marks a stage', () => {
  expect(named(({ required }) => required)).toEqual(['append'])
  expect(named(({ repeats }) => repeats)).toEqual(['step'])
  expect(named(({ precedesSteps }) => precedesSteps)).toEqual(['turn', 'input'])
  expect(named(({ holdsOthers }) => holdsOthers)).toEqual(['turn', 'step', 'tools'])
  expect(named(({ calledByHook }) => calledByHook)).toEqual(['generate'])
  expect(named(({ blocked }) => blocked)).toEqual(['tools', 'tool'])
})

test('the stages of a turn and of a step are built in', () => {
  expect(turnOrder).toEqual(['input', 'step'])
  expect(stepOrder).toEqual(['model', 'detect', 'append', 'tools', 'decide'])
})

test.each([
  ['model', 'model'],
  ['generate', 'model'],
  ['tool', 'tool'],
  ['input', 'unknown'],
  ['my-own', 'unknown'],
])('an error in the stage %s has the kind %s, unless it says another', (stage, kind) => {
  expect(errorKindIn(new Error('off'), stage)).toBe(kind)
  expect(errorKindIn(new TurnbuckleError('a.b', 'Off.', { kind: 'store' }), stage)).toBe('store')
})
