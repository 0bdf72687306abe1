import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chatSession } from '../../../test/chat-session.ts'
import { slashItems } from './slash-items.ts'
import { slashTable } from './slash-table.ts'

test('the menu has every built-in command, and own ones behind them', () => {
  const home = mkdtempSync(join(tmpdir(), 'turnbuckle-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'commands'))
  writeFileSync(join(home, 'commands', 'review.md'), 'Review it.')
  const { session } = chatSession({}, { loaded: { root: '/nowhere', home, user: {}, project: {} } })
  const items = slashItems(session)
  expect(items.map(({ text }) => text)).toEqual([...slashTable.map(({ name }) => name), '/review'])
  expect(items.at(-1)?.does).toBe('Review it.')
})
