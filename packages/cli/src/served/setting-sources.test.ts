import { expect, test } from 'vitest'
import { fixedBy, sourceOf, variableSource, variablesInForce, withoutPassword } from './setting-sources.ts'

const origins = {
  loaded: {
    project: { instructions: 'Ours.' },
    placeOf: (_whose: string, ...path: readonly string[]) => `config:${path.join('.')}`,
    environment: new Set(['OPENAI_API_KEY']),
  },
  user: { instructions: 'Mine.', model: 'offline', env: { ANTHROPIC_API_KEY: 'k' } },
  flags: {},
}

test.each([
  { path: ['instructions'], is: { from: 'project', place: 'config:instructions', fixed: true } },
  { path: ['model'], is: { from: 'user' } },
  { path: ['params', 'topP'], is: { from: 'default' } },
])('$path comes from $is.from', ({ path, is }) => {
  expect(sourceOf(origins, ...path)).toEqual(is)
})

test('a model of the command line counts more than any file', () => {
  expect(sourceOf({ ...origins, flags: { model: 'offline' } }, 'model')).toMatchObject({ from: 'flag', fixed: true })
})

test.each([
  { name: 'OPENAI_API_KEY', from: 'environment' },
  { name: 'OPENAI_BASE_URL', from: 'environment' },
  { name: 'ANTHROPIC_API_KEY', from: 'user' },
  { name: 'ANTHROPIC_BASE_URL', from: 'default' },
])('$name comes from $from: a key of the environment holds its address fast', ({ name, from }) => {
  expect(variableSource(origins, name).from).toBe(from)
})

test('of a key one is told only that it is set, of an address no password', () => {
  const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'https://me:secret@host/v1' }
  const told = variablesInForce(origins, env)
  expect(told).toMatchObject({ OPENAI_API_KEY: { set: true }, OPENAI_BASE_URL: { value: 'https://…@host/v1' } })
  expect(JSON.stringify(told)).not.toMatch(/sk-1|secret/)
  expect(withoutPassword('https://host/a@b')).toBe('https://host/a@b')
})

test('an error names the variable or the line', () => {
  expect(fixedBy({ from: 'environment', place: 'A' })).toBe('A in the environment')
  expect(fixedBy({ from: 'project', place: 'config:1' })).toBe('config:1')
})
