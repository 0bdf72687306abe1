import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { block, createAgent, middleware, tool } from 'turnbuckle'
import { claudeHooks } from 'turnbuckle/claude'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HookHandler } from './hook-handler.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hook-agent-'))
  writeFileSync(join(root, 'policy.txt'), 'No releases on Fridays.')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

type Script = Parameters<typeof scriptedModel>[0]
const look = { calls: [{ name: 'read_file', args: { path: 'policy.txt' } }] }
const release = tool({ name: 'release', description: 'Releases.', run: () => 'released' })

/** One call of `release`, judged by an agent hook whose model says these things. */
async function play(event: string, judged: Script, use: ReturnType<typeof middleware>[] = []) {
  const judge = scriptedModel(judged)
  const handler: HookHandler = { type: 'agent', prompt: 'May this go on? $ARGUMENTS' }
  const source = {
    from: 'project' as const,
    file: 'x',
    handlers: [{ event, matcher: undefined, handler }],
    problems: [],
  }
  const model = scriptedModel([{ calls: [{ name: 'release', args: {} }] }, 'Done.', 'Done again.'])
  const hooks = claudeHooks({ root, home: false, sources: [source], model: judge })
  const chat = createAgent({ model, tools: [release], use: [hooks, ...use] }).conversation()
  const result = await chat.send('Release it.').settled
  const results = chat.messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))
  return { judge, result, results }
}

test('an agent reads the project’s files and its no blocks the call, not the turn', async () => {
  const { judge, result, results } = await play('PreToolUse', [look, '{"ok": false, "reason": "It is Friday."}'])
  expect(results[0]).toMatchObject({ status: 'blocked', value: expect.stringContaining('It is Friday.') })
  expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
  expect(JSON.stringify(judge.prompts[0]?.messages)).toContain('PreToolUse')
  expect(judge.prompts[0]?.tools.map(({ name }) => name)).toEqual(['read_file', 'list_files', 'search_files'])
  expect(JSON.stringify(judge.prompts[1]?.messages)).toContain('No releases on Fridays.')
})

test('an agent’s yes lets the call run, and its calls are no events for hooks', async () => {
  const { judge, results } = await play('PreToolUse', [look, '{"ok": true}'])
  expect(results[0]?.value).toBe('released')
  expect(judge.prompts).toHaveLength(2)
})

test('an agent keeps a turn from ending, whatever it says of `impossible`', async () => {
  const { result } = await play('Stop', ['{"ok": false, "reason": "Test it.", "impossible": true}', '{"ok": true}'])
  expect(result).toMatchObject({ status: 'completed', text: 'Done again.' })
})

test('guards of the turn hold in the agent, and its usage counts in the turn', async () => {
  const guard = middleware({
    name: 'no-reading',
    guard: true,
    tools: ['read_file'],
    beforeTool: () => block('Secret.'),
  })
  const usage = { inputTokens: 7, outputTokens: 1 }
  const { judge, result } = await play('PostToolUse', [look, { text: '{"ok": true}', usage }], [guard])
  expect(JSON.stringify(judge.prompts[1]?.messages)).toContain('Secret.')
  expect(result.usage).toMatchObject(usage)
})
