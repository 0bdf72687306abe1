import { expect, test } from 'vitest'

interface Faults {
  readonly happened: readonly object[]
  readonly failed: Promise<never>
  stop(): Promise<void>
}
const { beginFaults } = (await import(new URL('./faults.mjs', import.meta.url).href)) as {
  beginFaults(of: object): Faults
}

/** Restarts of PostgreSQL, one after the other, of which each ends as it is told. */
function begin() {
  const restarts: { resolve(): void; reject(error: Error): void }[] = []
  const restart = () => new Promise<void>((resolve, reject) => void restarts.push({ resolve, reject }))
  const random = { fork: () => ({ between: () => 0 }) }
  const cluster = { postgres: { restart }, workers: [], servers: [] }
  const faults = beginFaults({ cluster, random, leaseMs: 1, chosen: ['PostgreSQL restarted'], pace: 0 })
  return { faults, restarts }
}

test('faults are over when the last of them is healed', async () => {
  const { faults, restarts } = begin()
  await expect.poll(() => restarts.length).toBe(1)
  const stopped = faults.stop()
  restarts[0]?.resolve()
  await stopped
  expect(faults.happened).toMatchObject([{ kind: 'PostgreSQL restarted', until: expect.any(Number) }])
})

test('a part that does not come back is told to who waits for faults, and to who ends them', async () => {
  const { faults, restarts } = begin()
  await expect.poll(() => restarts.length).toBe(1)
  const stopped = faults.stop()
  restarts[0]?.reject(new Error('No disk.'))
  await expect(stopped).rejects.toThrow('No disk.')
  await expect(faults.failed).rejects.toThrow('No disk.')
})
