import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gitChanges } from './git-changes.ts'
import { TurnEnvironment } from './turn-environment.ts'

test('the git state is looked at when a turn begins', async () => {
  const root = mkdtempSync(join(tmpdir(), 'turnbuckle-environment-'))
  execFileSync('git', ['init', '-q', '-b', 'trunk'], { cwd: root })
  const environment = new TurnEnvironment(root, folder => gitChanges(folder, 60_000))
  expect(environment.prompt).toMatch(/Git: on branch trunk$/)
  const model = scriptedModel([{ text: 'One.' }, { text: 'Two.' }])
  const agent = createAgent({ model, instructions: () => environment.prompt, use: [environment.use] })
  const chat = agent.conversation()
  await chat.send('First.')
  expect(environment.prompt).toMatch(/Git: on branch trunk, nothing changed/)
  writeFileSync(join(root, 'new.txt'), '')
  await chat.send('Second.')
  expect(environment.prompt).toMatch(/Git: on branch trunk, 1 changed file$/)
  rmSync(root, { recursive: true, force: true })
})
