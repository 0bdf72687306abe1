import { expect, test } from 'vitest'
import { readTokens } from './read-tokens.ts'

test('each entry has a name and a token; a role behind the last colon is a role, and other colons are the token’s', () => {
  expect(readTokens(' alice:a1:owner , bob:b:2,eve:e:x:viewer, member:member')).toEqual([
    { name: 'alice', token: 'a1', role: 'owner' },
    { name: 'bob', token: 'b:2' },
    { name: 'eve', token: 'e:x', role: 'viewer' },
    { name: 'member', token: 'member' },
  ])
})

test.each(['alice', ':token', 'alice:', 'alice:a,bob', 'alice::owner'])('%j is no list of tokens', text => {
  expect(() => readTokens(text)).toThrow('name:token')
})

test('a role that is misspelt is refused: the person would have another one', () => {
  expect(() => readTokens('eve:token:veiwer')).toThrow('"veiwer" is no role')
})
