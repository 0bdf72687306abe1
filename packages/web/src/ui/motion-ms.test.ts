import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test.each([
  { matches: true, ms: 0 },
  { matches: false, ms: 250 },
])('where less motion is asked for ($matches) a move takes $ms ms', async ({ matches, ms }) => {
  vi.stubGlobal('matchMedia', () => ({ matches }))
  const { motionMs } = await import('./motion-ms.ts')
  expect(motionMs()).toBe(ms)
})
