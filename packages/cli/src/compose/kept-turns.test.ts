import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { eraseFileVersions, type KeptTurns, TurnKeeper } from './kept-turns.ts'
import type { WrittenInTurn } from './written-turns.ts'

const wrote = (turnId: string): WrittenInTurn => ({
  turnId,
  files: [{ path: `${turnId}.txt`, before: null, after: 'hash' }],
  commands: [],
})
const withTurn =
  (turnId: string) =>
  (kept: KeptTurns): KeptTurns => ({ ...kept, turns: [...kept.turns, wrote(turnId)] })
const idsOf = ({ turns }: KeptTurns) => turns.map(({ turnId }) => turnId)
const keys = async (store: ConversationStore) => (await store.entries('file-versions')).map(([key]) => key)

test('changes of one moment come one after the other, and the next process reads them all', async () => {
  const store = memoryStore()
  const keeper = new TurnKeeper(store)
  await Promise.all(['t1', 't2', 't3'].map(id => keeper.change('conv_a', withTurn(id))))
  expect(await new TurnKeeper(store).read('conv_a')).toEqual({
    turns: ['t1', 't2', 't3'].map(wrote),
    dropped: [],
  })
})

test('what is known without waiting is what was read or changed last', async () => {
  const keeper = new TurnKeeper(memoryStore())
  expect(keeper.known('conv_a')).toBeUndefined()
  await keeper.change('conv_a', withTurn('t1'))
  expect(keeper.known('conv_a')).toEqual({ turns: [wrote('t1')], dropped: [] })
})

test('two processes add to the same turns, and one sees what the other took away', async () => {
  const store = memoryStore()
  const [here, there] = [new TurnKeeper(store), new TurnKeeper(store)]
  await here.change('conv_a', withTurn('t1'))
  await there.change('conv_a', withTurn('t2'))
  expect(idsOf(await here.read('conv_a'))).toEqual(['t1', 't2'])
  await there.change('conv_a', kept => ({ ...kept, turns: kept.turns.slice(0, 1) }))
  expect(idsOf(await here.read('conv_a'))).toEqual(['t1'])
  expect(await keys(store)).toEqual(['conv_a', 'conv_a/t1'])
})

test('of more than fifty turns the oldest are dropped, by their ids', async () => {
  const store = memoryStore()
  const keeper = new TurnKeeper(store)
  const ids = Array.from({ length: 52 }, (_, i) => `t${i}`)
  for (const id of ids) await keeper.change('conv_a', withTurn(id))
  const { dropped, turns } = await new TurnKeeper(store).read('conv_a')
  expect([dropped, turns.length, turns[0]?.turnId]).toEqual([['t0', 't1'], 50, 't2'])
  expect(await keys(store)).not.toContain('conv_a/t0')
  await eraseFileVersions(store, 'conv_a')
  expect(await keys(store)).toEqual([])
})

test('a store that fails costs nothing but the other processes, and gets all of it when it works again', async () => {
  const store = memoryStore()
  const { set } = store
  store.set = () => {
    throw new Error('the disk is full')
  }
  const keeper = new TurnKeeper(store)
  await keeper.change('conv_a', withTurn('t1'))
  expect(idsOf(await keeper.read('conv_a'))).toEqual(['t1'])
  expect(await keys(store)).toEqual([])
  store.set = set
  await keeper.change('conv_a', withTurn('t2'))
  expect(idsOf(await new TurnKeeper(store).read('conv_a'))).toEqual(['t1', 't2'])
})

test('a store that cannot be read leaves what is known', async () => {
  const store = memoryStore()
  const keeper = new TurnKeeper(store)
  await keeper.change('conv_a', withTurn('t1'))
  store.get = () => {
    throw new Error('the disk is gone')
  }
  expect(idsOf(await keeper.read('conv_a'))).toEqual(['t1'])
})

test('nothing is left of a conversation that is deleted, and all of another', async () => {
  const store = memoryStore()
  const keeper = new TurnKeeper(store)
  for (const id of ['conv_a', 'conv_b']) await keeper.change(id, withTurn('t1'))
  await eraseFileVersions(store, 'conv_a')
  expect(await keys(store)).toEqual(['conv_b', 'conv_b/t1'])
})

test('the last turn that an earlier version kept alone is read', async () => {
  const store = memoryStore()
  await store.set('file-versions', 'conv_b', wrote('t'))
  expect(await new TurnKeeper(store).read('conv_b')).toEqual({ turns: [wrote('t')], dropped: [] })
})
