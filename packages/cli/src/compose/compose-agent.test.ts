import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '../settings/load-settings.ts'
import { composeAgent } from './compose-agent.ts'

let folder: string
let env: NodeJS.ProcessEnv
const put = (path: string, text: string) => writeFileSync(join(folder, path), text)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-compose-'))
  for (const name of ['home', 'project']) mkdirSync(join(folder, name))
  env = { TURNBUCKLE_HOME: join(folder, 'home') }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const settings = (model?: string) =>
  loadSettings({ cwd: join(folder, 'project'), env, ask: async () => true }).then(loaded =>
    composeAgent(loaded, { model, ask: async () => true }),
  )

test.each([
  {
    text: '{ "middleware": [{ "use": "step-limit", "options": {\n"maxx": 2 } }] }',
    says: /:2: "middleware.0.options.maxx": .*no option "maxx". Did you mean "max"\?/,
  },
  { text: '{ "middleware": [\n{ "use": "step-limit" }] }', says: /:2: "middleware.0.use": .*needs max/ },
  { text: '{ "middleware": [\n{ "use": "./no.ts" }] }', says: /:2: "middleware.0.use": no.ts .*no such file/ },
  {
    text: '{ "permissions": { "deny": ["a",\n"shell(rm"] } }',
    says: /:2: "permissions.deny.1": .*not a permission pattern/,
  },
  { text: '{\n"model": "antropic/x" }', says: /:2: "model": No model "antropic\/x".*Did you mean "anthropic\/…"/ },
  { text: '{\n"store": "sqlite:../x.db" }', says: /:2: "store": .*lies outside the project/ },
  { text: '{ "model": "offline",\n"model": "x" }', says: /:2: "model" is there twice/ },
])('$text is a mistake: $says', async ({ text, says }) => {
  put('project/turnbuckle.config.json', text)
  const message = expect.stringMatching(new RegExp(`^turnbuckle.config.json${says.source}`))
  await expect(settings()).rejects.toMatchObject({ exitCode: 2, message })
})

test("a mistake in the user's own file names it in full", async () => {
  put('home/config.json', '{\n"model": "gpt" }')
  await expect(settings()).rejects.toThrow(`${join(folder, 'home/config.json')}:2: "model": No model "gpt"`)
})

test.each([
  {
    text: 'export default {\n  tools: {\n    shel: true } }',
    says: 'turnbuckle.config.ts:3: unknown key "tools.shel"',
  },
  { text: 'export default {\n  model: "gpt" }', says: 'turnbuckle.config.ts:2: "model": No model "gpt"' },
  {
    text: 'export default {\n  middleware: [\n    { use: "todo" }, { use: "step-limit" }] }',
    says: 'turnbuckle.config.ts:2: "middleware.1.use": The middleware "step-limit" does not',
  },
])('settings that are code: $says', async ({ text, says }) => {
  put('project/turnbuckle.config.ts', text)
  await expect(settings()).rejects.toThrow(says)
})

test('a name of no model is a mistake; that a key is missing is only said', async () => {
  await expect(settings('bogus')).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/^--model: No/) })
  const { notices, close } = await settings('compatible/x')
  expect(notices).toEqual(['"compatible/x" needs an address. Set COMPATIBLE_BASE_URL in the environment.'])
  await close()
})

test('every middleware of the program says in a sentence what it does', async () => {
  put('home/config.json', '{ "claudeHooks": true, "model": "offline" }')
  const { agent, close } = await settings()
  const names = agent.middleware.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['offline-tools', 'claude-hooks', 'approval']))
  expect(agent.middleware.filter(({ description = '' }) => !description.endsWith('.'))).toEqual([])
  await close()
})
