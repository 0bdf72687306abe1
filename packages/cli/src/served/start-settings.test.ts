import { expect, test } from 'vitest'
import { startSettings } from './start-settings.ts'

const valuesOf = (...given: Parameters<typeof startSettings>) =>
  Object.fromEntries(startSettings(...given).map(({ path, value, later }) => [path.join('.'), later ?? value]))

test('without a word in the files the defaults count', () => {
  expect(valuesOf({ user: {}, project: {} }, {})).toEqual({
    maxSteps: 50,
    idleTimeoutMs: 60_000,
    firstDataTimeoutMs: 600_000,
    retry: 3,
    'tools.files': true,
    'tools.shell': true,
    'tools.fetch': true,
  })
})

test('a project may give a turn more steps than the default, and none more than the user', () => {
  expect(valuesOf({ user: {}, project: { maxSteps: 80 } }, {})).toMatchObject({ maxSteps: 80 })
  expect(valuesOf({ user: { maxSteps: 9 }, project: { maxSteps: 80 } }, { maxSteps: 9 })).toMatchObject({ maxSteps: 9 })
})

test('what the file says since the start is told beside what is in force', () => {
  const [maxSteps, idle] = startSettings({ user: { maxSteps: 9 }, project: {} }, { maxSteps: 12 })
  expect([maxSteps, idle]).toEqual([
    { path: ['maxSteps'], value: 9, later: 12 },
    { path: ['idleTimeoutMs'], value: 60_000 },
  ])
})
