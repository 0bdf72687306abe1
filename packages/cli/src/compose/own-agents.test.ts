import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { loadSchemaCheck } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { loadSettings } from '../settings/load-settings.ts'
import { composeAgent } from './compose-agent.ts'
import { ownAgents } from './own-agents.ts'
import { safetyNets } from './own-middleware.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-agents-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const look = tool({ name: 'look', run: () => 'seen' })
const write = tool({ name: 'write', run: () => 'written' })
const callsReviewer = () =>
  scriptedModel([{ calls: [{ name: 'agent_reviewer', args: { task: 'Look at a.ts' } }] }, 'Reviewed.'])

function put(whose: 'home' | 'project', settings: object): void {
  const file = join(folder, whose === 'home' ? 'home/config.json' : 'project/turnbuckle.config.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(settings))
}
function load() {
  mkdirSync(join(folder, 'project'), { recursive: true })
  return loadSettings({ cwd: join(folder, 'project'), env: { TURNBUCKLE_HOME: join(folder, 'home') } })
}
async function agentsOf(model = scriptedModel([])) {
  const loaded = await load()
  const parts = { model, tools: [look, write], use: safetyNets(loaded), store: memoryStore() }
  const missing: string[] = []
  return {
    agents: await ownAgents(loaded, { ...parts, schemaCheck: await loadSchemaCheck() }, missing),
    missing,
    parts,
  }
}

test('a sub-agent of the settings works on what it is told, with its instructions and the tools that it names', async () => {
  put('home', { agents: { reviewer: { description: 'Reviews.', instructions: 'Be strict.', tools: ['look'] } } })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Fine.'])
  const { agents, parts } = await agentsOf(model)
  expect(agents).toMatchObject([{ name: 'agent_reviewer', description: 'Reviews.' }])
  const { store } = parts
  const agent = createAgent({ model: callsReviewer(), tools: agents, store })
  const { messages } = await agent.send('Review a.ts')
  expect(JSON.stringify(messages)).toContain('Fine.')
  expect(model.prompts[0]).toMatchObject({ instructions: 'Be strict.', tools: [{ name: 'look' }] })
  expect(JSON.stringify(model.prompts[0]?.messages)).toContain('Look at a.ts')
})

test('a provider that fails is asked again for a sub-agent, too', async () => {
  put('home', { agents: { reviewer: { instructions: 'Be strict.' } }, retry: { times: 1 } })
  const busy = Object.assign(new Error('Busy.'), { status: 503, headers: { 'retry-after': '0' } })
  const { agents } = await agentsOf(scriptedModel([{ error: busy }, 'Fine.']))
  const { messages } = await createAgent({ model: callsReviewer(), tools: agents }).send('Review a.ts')
  expect(JSON.stringify(messages)).toContain('Fine.')
})

test('one of the project stands over the user’s of that name, beside the user’s others', async () => {
  put('home', { agents: { reviewer: { instructions: 'Mine.' }, writer: { instructions: 'Write.' } } })
  put('project', { agents: { reviewer: { instructions: 'Ours.', description: 'Ours.' } } })
  const { agents } = await agentsOf()
  expect(agents.map(({ name, description }) => [name, description])).toEqual([
    ['agent_reviewer', 'Ours.'],
    ['agent_writer', 'Gives a task to writer.'],
  ])
})

test.each([
  { what: 'a tool that is not there', entry: { instructions: 'x', tools: ['wirte'] }, says: /no tool "wirte" here/ },
  { what: 'an unknown model', entry: { instructions: 'x', model: 'nobody/knows' }, says: /nobody/ },
  { what: 'no instructions', entry: { description: 'x' }, says: /instructions/ },
  { what: 'a name that no tool can have', name: 'my reviewer', entry: { instructions: 'x' }, says: /my reviewer/ },
  { what: 'a key that there is not', entry: { instructions: 'x', modle: 'y' }, says: /"model"/ },
])('$what is an error that begins with its place', async ({ name = 'reviewer', entry, says }) => {
  put('project', { agents: { [name]: entry } })
  const { message } = await agentsOf().then(
    () => new Error('It was made.'),
    (error: Error) => error,
  )
  expect(message).toMatch(/^[^:]*turnbuckle\.config\.json:1: /)
  expect(message.split('turnbuckle.config.json')).toHaveLength(2)
  expect(message).toMatch(says)
})

test('a model whose key is missing is told of, and the program begins', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  put('home', { agents: { reviewer: { instructions: 'x', model: 'anthropic/claude-x' } } })
  const { agents, missing } = await agentsOf()
  expect([agents.length, missing.length]).toEqual([1, 1])
})

test('the programs offer them, and one of the settings stands over one of Claude Code’s files', async () => {
  put('project', {
    store: 'memory:',
    claudeHooks: true,
    agents: { reviewer: { description: 'Ours.', instructions: 'x' } },
  })
  mkdirSync(join(folder, 'project/.claude/agents'), { recursive: true })
  for (const name of ['reviewer', 'writer'])
    writeFileSync(join(folder, `project/.claude/agents/${name}.md`), `---\nname: ${name}\ndescription: Theirs.\n---\nx`)
  const { agent, close } = await composeAgent(await load(), { model: 'offline' })
  const offered = agent.tools.filter(({ name }) => name.startsWith('agent_'))
  expect(offered.map(({ name, description }) => `${name}: ${description}`)).toEqual([
    'agent_reviewer: Ours.',
    'agent_writer: Theirs.',
  ])
  await close()
})
