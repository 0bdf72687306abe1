import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Act, demandAccess, demandRight, rights } from './rights.ts'
import { roles } from './roles.ts'

const acts = Object.keys(rights) as Act[]

test('an owner may what a member may, and a member what a viewer may', () => {
  for (const act of acts) {
    const { owner, member, viewer } = rights[act].may
    expect([owner, member || !viewer, owner || !member], act).toEqual([true, true, true])
  }
})

test('a role that is missing is an error with what was wanted', () => {
  expect(() => demandRight(() => 'member', 'ann', 'switchGuard')).toThrow(
    'Only owners switch a guard. You are a member here.',
  )
  expect(() => demandRight(() => 'owner', 'ann', 'switchGuard')).not.toThrow()
})

test.each([
  { access: 'read', may: [true, false, false] },
  { access: 'talk', may: [true, true, false] },
  { access: 'own', may: [true, true, true] },
] as const)('with the access "$access" a person does in a conversation what needs no more', ({ access, may }) => {
  const does = (act: 'readConversation' | 'talk' | 'keepConversation') => {
    try {
      demandAccess(access, 'alice', act)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'role.missing' })
      return false
    }
  }
  expect([does('readConversation'), does('talk'), does('keepConversation')]).toEqual(may)
})

test('docs/people.md has the table as it is', () => {
  const page = readFileSync(new URL('../../../../docs/people.md', import.meta.url), 'utf8')
  const rows = acts.map(act => {
    const { does, may, ...right } = rights[act]
    const needs = 'needs' in right ? { read: 'shared', talk: 'shared to talk in', own: 'own' }[right.needs] : ''
    return `| ${does} | ${roles.map(role => (may[role] ? 'yes' : 'no')).join(' | ')} | ${needs} |`
  })
  expect(page).toContain(rows.join('\n'))
})
