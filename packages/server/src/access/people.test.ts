import { memoryStore } from 'turnbuckle/stores'
import { expect, onTestFinished, test, vi } from 'vitest'
import { People } from './people.ts'

const namesOf = (people: People, ...tokens: string[]) => tokens.map(token => people.visitorOf(token)?.person)

test('each token has its person, and no other text has one', () => {
  const people = new People(
    { tokens: 'alice:a1,bob:b:2,eve:e:viewer', people: [{ name: 'carl', token: 'c' }] },
    undefined,
  )
  expect(namesOf(people, 'a1', 'b:2', 'e', 'c', 'alice', '')).toEqual([
    'alice',
    'bob',
    'eve',
    'carl',
    undefined,
    undefined,
  ])
  expect(people.token).toBe('a1')
  expect(['alice', 'bob', 'eve', 'carl', 'nobody'].map(people.roleOf)).toEqual([
    'owner',
    'member',
    'viewer',
    'member',
    'viewer',
  ])
})

test('a single token is the person "me", an owner, before all others', () => {
  const people = new People({ token: 'own', tokens: 'bob:b' }, undefined)
  expect([...namesOf(people, 'own', 'b'), people.token]).toEqual(['me', 'bob', 'own'])
  expect(['me', 'bob'].map(people.roleOf)).toEqual(['owner', 'member'])
})

test('without any token a random one is made', () => {
  const [one, other] = [new People({}, undefined).token, new People({}, undefined).token]
  expect(one).toMatch(/^[\w-]{32}$/)
  expect(one).not.toBe(other)
})

test.each(['alice:a,alice:b', 'alice:a,bob:a', '*:a'])('%j is refused: a name and a token are one person’s', tokens => {
  expect(() => new People({ tokens }, undefined)).toThrow()
})

test('people who were made, and tokens that were revoked, are so after a restart and for other servers; only hashes are kept', async () => {
  const store = memoryStore()
  const [one, other] = [new People({ tokens: 'alice:a,bob:b' }, store), new People({ tokens: 'alice:a,bob:b' }, store)]
  const { token } = await one.make({ name: 'carl', role: 'viewer' }, 'alice')
  await one.revoke('bob')
  expect(namesOf(one, token, 'b')).toEqual(['carl', undefined])
  await other.refresh()
  expect(namesOf(other, token, 'b')).toEqual(['carl', undefined])
  expect(JSON.stringify([await store.entries('server.people'), other.list])).not.toContain(token)
  await expect(one.make({ name: 'carl', role: 'owner' }, 'alice')).rejects.toMatchObject({ code: 'person.exists' })
  await one.revoke('carl')
  await other.refresh()
  expect(namesOf(other, token)).toEqual([undefined])
})

test('the last owner stays, unless there is another whose token does not expire', async () => {
  const people = new People({ tokens: 'alice:a' }, undefined)
  await people.make({ name: 'guest', role: 'owner', expires: 1000 }, 'alice')
  await expect(people.revoke('alice')).rejects.toMatchObject({ code: 'person.last' })
  await people.make({ name: 'bob', role: 'owner' }, 'alice')
  await people.revoke('alice')
  expect(people.list.map(({ name }) => name)).toEqual(['guest', 'bob'])
})

test('an expired token is nobody’s, where no store forgets it too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const people = new People({ tokens: 'alice:a' }, undefined)
  const { token } = await people.make({ name: 'guest', role: 'member', expires: 1000 }, 'alice')
  const visitor = people.visitorOf(token)
  vi.setSystemTime(Date.now() + 999)
  expect(visitor && people.isLive(visitor)).toBe(true)
  vi.setSystemTime(Date.now() + 1)
  expect(visitor && people.isLive(visitor)).toBe(false)
  expect(namesOf(people, token)).toEqual([undefined])
  expect(people.roleOf('guest')).toBe('viewer')
})
