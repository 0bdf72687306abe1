import { afterEach, expect, test, vi } from 'vitest'
import { noteOnce } from './developer-note.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('a note is said once for each middleware and hook', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [one, other] = [{}, {}]
  for (const about of [one, one, other]) noteOnce(about, 'beforeTool', () => 'failed')
  noteOnce(one, 'afterTool', () => 'failed')
  expect(said.mock.calls).toEqual(Array(3).fill(['turnbuckle: failed']))
})

test('production hears nothing', () => {
  vi.stubEnv('NODE_ENV', 'production')
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  noteOnce({}, 'beforeTool', () => 'failed')
  expect(said).not.toHaveBeenCalled()
})
