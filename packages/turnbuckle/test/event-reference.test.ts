import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './bundle-program.ts'

const page = readFileSync(`${root}docs/events.md`, 'utf8')

test('the event reference tells the types as they are: npm run events writes it anew', async () => {
  const script =
    "import('./scripts/write-event-reference.mjs').then(page => process.stdout.write(page.writeEventReference()))"
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: root })
  expect(page).toBe(stdout)
})

test('every event and shape has a sentence: the doc comment above its type', () => {
  const sections = page.split(/^### /m).slice(1)
  expect(sections.length).toBeGreaterThan(40)
  expect(sections.filter(section => /^.+\s+```/.test(section))).toEqual([])
})
