import type { FoundSandbox } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import type { SandboxSettings } from '../settings/settings.ts'
import { SandboxNotice } from './sandbox-notice.ts'

const none: FoundSandbox = { kind: 'none', reason: 'bubblewrap (bwrap) is not installed' }
const some: FoundSandbox = { kind: 'bubblewrap', program: '/usr/bin/bwrap' }

/** What is said when a person is asked about calls of these tools, and a command then runs. */
async function said(sandbox: SandboxSettings, found: FoundSandbox, names: readonly string[] = ['shell', 'shell']) {
  const notice = new SandboxNotice({ home: '/home/ann', user: { sandbox }, project: {} }, async () => found)
  const texts: string[] = []
  notice.onNotice(text => texts.push(text))
  for (const name of names) await notice.lookAt({ name })
  return { texts, notice }
}

test('where there is none it is said once, with the reason, before the first question', async () => {
  const { texts, notice } = await said({}, none)
  notice.say('again')
  expect(texts).toEqual([
    'There is no sandbox for shell commands (bubblewrap (bwrap) is not installed): one that is allowed can do what you can.',
  ])
})

test('a command that runs without a question says it too', async () => {
  const { texts, notice } = await said({}, none, ['read_file'])
  expect(texts).toEqual([])
  notice.say('no reason')
  expect(texts).toHaveLength(1)
})

test('where one is required, that no command will run is said', async () => {
  expect((await said({ required: true }, none)).texts[0]).toContain('so none will run')
})

test('nothing is said where there is one, nor where the person has switched it off', async () => {
  expect((await said({}, some)).texts).toEqual([])
  expect((await said({ enabled: false }, none)).texts).toEqual([])
})
