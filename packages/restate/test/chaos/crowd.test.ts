import { expect, test } from 'vitest'

interface Turn {
  readonly sentAt?: number
  readonly endedAt?: number
}
interface Crowd {
  readonly talkers: readonly { readonly name: string; readonly turns: readonly Turn[]; readonly isOver: boolean }[]
  readonly done: number
  readonly longest: number
  talk(size: number): Promise<true>
}
const { Crowd } = (await import(new URL('./crowd.mjs', import.meta.url).href)) as { Crowd: new (of: object) => Crowd }

test('people begin another conversation after so many turns, until no more are wanted', async () => {
  const make = (name: string) => ({
    name,
    turns: [] as Turn[],
    isOver: false,
    async begin() {},
    async talk(number: number) {
      this.turns.push({ endedAt: number + 1 })
    },
    async end() {
      this.isOver = true
    },
  })
  const crowd = new Crowd({ make, each: 2, wants: (begun: number) => begun < 6 })
  expect(await crowd.talk(2)).toBe(true)
  expect(crowd.done).toBe(6)
  expect(crowd.talkers.map(({ name }) => name).slice(0, 3)).toEqual(['t0n0', 't1n0', 't0n1'])
  expect(crowd.talkers.every(({ turns, isOver }) => turns.length <= 2 && isOver)).toBe(true)
})

test('the turn under way that was begun first says how long one has run', async () => {
  const turns = [{ sentAt: 1, endedAt: 2 }, { sentAt: Date.now() - 60_000 }, { sentAt: Date.now() - 5000 }]
  const crowd = new Crowd({
    make: () => ({ turns, begin: () => {}, talk: () => {}, end: () => {} }),
    each: 1,
    wants: (begun: number) => begun < 1,
  })
  await crowd.talk(1)
  expect(Math.round(crowd.longest / 1000)).toBe(60)
})
