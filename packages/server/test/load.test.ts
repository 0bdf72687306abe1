import { expect, test } from 'vitest'
import { type Figures, type Load, runLoad } from './load.ts'

// TURNBUCKLE_LOAD=full npx vitest run packages/server/test/load.test.ts: what the docs state.
const full = process.env.TURNBUCKLE_LOAD === 'full'
const size: Load = full
  ? { conversations: 1000, sockets: 200, stalled: 0, turns: 8 }
  : { conversations: 60, sockets: 12, stalled: 0, turns: 16 }
const stalled = full ? 20 : 3

test('sockets that do not read are cut off alone: the others miss nothing, and memory stays bounded', async () => {
  // The first run warms everything up; it does not count.
  await runLoad({ ...size, turns: 3 })
  const without = await runLoad(size)
  const figures = await runLoad({ ...size, sockets: size.sockets + stalled, stalled })
  console.info(JSON.stringify({ without: rounded(without), with: rounded(figures) }))
  expect(figures.contiguous).toBe(true)
  expect(figures.cutOff).toBe(stalled)
  // Each of them may keep 64 KiB waiting, and what the system has taken off our hands.
  expect(figures.grown - without.grown).toBeLessThan(stalled * 8)
  if (full) expect(figures.p99).toBeLessThan(without.p99 * 1.5)
}, 300_000)

const rounded = (figures: Figures) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 10) / 10 : value,
    ]),
  )
