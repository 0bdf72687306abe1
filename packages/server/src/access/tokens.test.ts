import { expect, test } from 'vitest'
import { createTokens } from './tokens.ts'

test('each token has its person, and no other text has one', () => {
  const tokens = createTokens({ tokens: ' alice:a1 , bob:b:2' })
  expect(['a1', 'b:2', 'alice', ''].map(token => tokens.personOf(token))).toEqual([
    'alice',
    'bob',
    undefined,
    undefined,
  ])
  expect(tokens.token).toBe('a1')
  expect(['alice', 'bob'].map(person => tokens.roleOf(person))).toEqual(['owner', 'member'])
})

test('a single token is the person "me", before all others', () => {
  const tokens = createTokens({ token: 'own', tokens: 'bob:b' })
  expect([tokens.personOf('own'), tokens.personOf('b'), tokens.token]).toEqual(['me', 'bob', 'own'])
  expect(['me', 'bob'].map(person => tokens.roleOf(person))).toEqual(['owner', 'member'])
})

test('without any token a random one is made', () => {
  const [one, other] = [createTokens({}).token, createTokens({}).token]
  expect(one).toMatch(/^[\w-]{32}$/)
  expect(one).not.toBe(other)
})

test.each(['alice', ':token', 'alice:', 'alice:a,bob'])('%j is no list of tokens', text => {
  expect(() => createTokens({ tokens: text })).toThrow('name:token')
})
