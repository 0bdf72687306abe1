import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentHash, TrustFile, type TrustItem, trustedItems, untrustedNotice } from './trust-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-trust-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const item = (name: string, hash = contentHash(name)): TrustItem => ({ kind: 'hook', name, does: 'hooks', hash })

test('content that was trusted is trusted by the next process, in that project alone', () => {
  new TrustFile(folder).add('/a', [item('x')])
  const later = new TrustFile(folder)
  expect(later.has('/a', item('x'))).toBe(true)
  expect(later.has('/b', item('x'))).toBe(false)
  expect(later.has('/a', item('x', 'changed'))).toBe(false)
})

test('what was trusted is in the audit list of that project', () => {
  const trust = new TrustFile(folder)
  trust.add('/audited', [item('x'), item('y')])
  expect(trustedItems(folder, '/audited')).toMatchObject([
    { by: 'me', act: 'trusted', what: expect.stringContaining('x'), at: expect.any(Number) },
    { by: 'me', act: 'trusted', what: expect.stringContaining('y') },
  ])
  expect(trustedItems(folder, '/elsewhere')).toEqual([])
})

test('only new items are asked about, and a yes is kept', async () => {
  const trust = new TrustFile(folder)
  trust.add('/a', [item('x')])
  const asked: string[] = []
  const ask = async (items: readonly TrustItem[]) => asked.push(...items.map(({ name }) => name)) > 0
  const { trusted, refused } = await trust.decide('/a', [item('x'), item('y')], ask)
  expect({ asked, trusted: trusted.size, refused }).toEqual({ asked: ['y'], trusted: 2, refused: [] })
  expect(trust.has('/a', item('y'))).toBe(true)
})

test.each([{ ask: undefined }, { ask: async () => false }])(
  'without a yes ($ask) new items are refused',
  async ({ ask }) => {
    const trust = new TrustFile(folder)
    trust.add('/a', [item('x')])
    const { trusted, refused } = await trust.decide('/a', [item('x'), item('y')], ask)
    expect([...trusted].map(({ name }) => name)).toEqual(['x'])
    expect(refused.map(({ name }) => name)).toEqual(['y'])
    expect(untrustedNotice(refused)).toMatch(/^Not trusted, so not used: y\./)
  },
)
