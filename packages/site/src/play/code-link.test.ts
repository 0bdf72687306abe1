import { expect, test } from 'vitest'
import { readLink, writeLink } from './code-link.ts'

const files = { 'hook.ts': 'export default "⚓ ünïcode"\n'.repeat(200), 'agent.ts': '' }

test('a link gives back the code that it was made of, and is shorter than it', async () => {
  const link = await writeLink({ scenario: 'block', files })
  expect(await readLink(link)).toEqual({ scenario: 'block', files })
  expect(link).toMatch(/^#block\/[\w-]+$/)
  expect(link.length).toBeLessThan(300)
})

test('a scenario as it is has a short link', async () => {
  expect(await writeLink({ scenario: 'retry' })).toBe('#retry')
  expect(await readLink('#retry')).toEqual({ scenario: 'retry' })
})

test.each(['', '#', '#block/!!', '#block/AAAA', '#/x', '#block/'])('%j has no code', async fragment => {
  expect(await readLink(fragment)).toBeUndefined()
})
