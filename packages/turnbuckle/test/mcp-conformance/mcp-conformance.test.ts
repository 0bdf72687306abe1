import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSuite } from './suite.mjs'

let suite: Awaited<ReturnType<typeof openSuite>>
beforeAll(async () => {
  suite = await openSuite()
}, 120_000)
afterAll(async () => {
  await suite?.close()
  for (const file of suite?.files ?? []) rmSync(file, { recursive: true, force: true })
})

test.each([
  { side: 'server', scenario: 'tools-call-elicitation', revision: '2025-11-25' },
  { side: 'server', scenario: 'prompts-get-embedded-resource', revision: '2025-11-25' },
  { side: 'server', scenario: 'input-required-result-multi-round', revision: '2026-07-28' },
  { side: 'client', scenario: 'elicitation-sep1034-client-defaults', revision: '2025-11-25' },
  { side: 'client', scenario: 'auth/metadata-default', revision: '2026-07-28' },
] as const)(
  'our $side passes $scenario of the conformance suite, revision $revision',
  async ({ side, scenario, revision }) => {
    const { passed, said } = await suite.run(side, scenario, revision)
    expect(passed, said).toBe(true)
  },
  120_000,
)
