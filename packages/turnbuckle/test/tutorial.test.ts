import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from './bundle-program.ts'

// Goes through docs/tutorial.md as its reader does: writes each file, runs each command, and looks for the output that the page shows.

mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
// Below the workspace, where turnbuckle, zod, tsc and the types of Node are found: the page's `npm i` is left out.
const folder = mkdtempSync(join(root, 'node_modules/.cache/tutorial-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fence = /^```(?<language>\w+)(?: (?<file>\S+))?\n(?<body>[\s\S]*?)^```/gm

function run(command: string): string {
  if (command.startsWith('npm i ')) return ''
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: '', npm_config_loglevel: 'error' }
  return execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
}

test('the tutorial works, block by block', () => {
  const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8')
  let output = ''
  let compared = 0
  for (const { groups } of page.matchAll(fence)) {
    const { language, file, body = '' } = groups ?? {}
    if (file) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), body)
    } else if (language === 'sh') output = body.trim().split('\n').map(run).join('')
    else if (language === 'text') {
      expect(output).toContain(body)
      compared++
    } else if (language === 'ts') expect.fail('A block of the tutorial names its file.')
  }
  expect(compared).toBe(4)
})
