import { expect, test } from 'vitest'
import { type Block, bufferLimit, type Load, runLoad } from './load.ts'

// `npm run test:load` runs it at full size.
const full = process.env.TURNBUCKLE_LOAD === 'full'
const load: Load = full
  ? { conversations: 1000, healthy: 180, stalled: 20, turns: 4, rounds: 5 }
  : { conversations: 60, healthy: 12, stalled: 3, turns: 16, rounds: 3 }

test('sockets that do not read are cut off alone: the others wait no longer and miss nothing, memory stays bounded', async () => {
  const { without, withStalled, contiguous } = await runLoad(load)
  console.info(table(without, withStalled))
  expect(contiguous).toBe(true)
  expect(withStalled.map(({ cutOff }) => cutOff)).toEqual(withStalled.map(() => load.stalled))
  // What waits for each is in small pieces, which hold more than their size; a heap differs from one collection to the next.
  const allowed = (load.stalled * bufferLimit * 16) / 1e6 + 4
  expect(middle(withStalled.map(({ grown }, i) => grown - (without[i]?.grown ?? 0)))).toBeLessThan(allowed)
  // Harm would show in every round; another program's burst of work does not.
  expect(least(withStalled.map(({ p99 }, i) => p99 / (without[i]?.p99 ?? 0)))).toBeLessThan(1.5)
  if (full) expect(middle(withStalled.map(({ p99 }) => p99))).toBeLessThan(middle(without.map(({ p99 }) => p99)) * 1.5)
}, 600_000)

const least = (values: readonly number[]): number => Math.min(...values)
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const table = (without: readonly Block[], withStalled: readonly Block[]): string =>
  [without, withStalled]
    .map(blocks =>
      blocks.map(({ p50, p99, worked, grown }) => [p50, p99, worked, grown].map(Math.round).join(' / ')).join('   '),
    )
    .join('\n')
