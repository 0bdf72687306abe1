import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readJsonc } from './read-jsonc.ts'
import { readSettings, settingNames } from './settings.ts'

const read = (text: string, whose: 'user' | 'project' = 'project') => {
  const { value, line } = readJsonc(text, 'f')
  return readSettings(value, { file: 'f', line }, whose)
}

test('comments and trailing commas are fine', () => {
  expect(read('{ // a\n "model": "offline", /* b */ "tools": { "shell": false, }, }')).toEqual({
    model: 'offline',
    tools: { shell: false },
  })
})

test.each([
  { text: '{\n\n "tols": {} }', says: 'f:3: unknown key "tols". Did you mean "tools"?' },
  { text: '{ "tools": {\n "shel": true } }', says: 'f:2: unknown key "tools.shel". Did you mean "shell"?' },
  { text: '{ "tools": { "shell": "yes" } }', says: 'f:1: "tools.shell" must be true or false, not "yes".' },
  { text: '{ "middleware": [{}] }', says: '"middleware.0.use" is missing' },
  { text: '{ "middleware": [{ "use": "approval" }] }', says: 'approval is always on' },
  {
    text: '{ "middleware": [\n{ "use": "step-limt" }] }',
    says: 'f:2: There is no middleware "step-limt". Did you mean "step-limit"?',
  },
  { text: '{ "idleTimeoutMs": -1 }', says: 'f:1: "idleTimeoutMs" must be a number of at least 0, not -1.' },
  { text: '{ "maxSteps": 0 }', says: 'f:1: "maxSteps" must be a whole number of at least 1, not 0.' },
  { text: '{ "model": offline }', says: 'f:1: expected a value, found "o".' },
  { text: '{ "env": { "OPENAI_BASE_URL": "http://x" } }', says: 'may not be in a project' },
  { text: '{ "store": "postgres://x/y" }', says: 'may not choose a database elsewhere' },
  { text: '{ "mcpServers": { "a": {} } }', says: '"mcpServers.a" needs either a "command" or a "url".' },
  {
    text: '{ "mcpServers": { "a": { "command": "x", "url": "y" } } }',
    says: '"mcpServers.a" needs either a "command" or a "url".',
  },
])('$text: $says', ({ text, says }) => {
  expect(() => read(text)).toThrow(says)
})

test('docs/settings.md has every key of the settings', () => {
  const docs = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8')
  for (const name of settingNames) if (name !== '$schema') expect(docs).toContain(`"${name}":`)
})

test.each([
  [{ enabled: false }, 'a project may not switch the sandbox off'],
  [{ write: ['/'] }, 'a project may not name folders that commands write to'],
])('a project with the sandbox %j is refused', (sandbox, message) => {
  const place = { file: 'turnbuckle.config.json', line: () => 1 }
  expect(() => readSettings({ sandbox }, place, 'project')).toThrow(message)
  expect(readSettings({ sandbox }, place, 'user')).toEqual({ sandbox })
})

test('a project may require a sandbox and name fewer hosts', () => {
  const settings = { sandbox: { enabled: true, required: true, network: [] } }
  expect(readSettings(settings, { file: 'turnbuckle.config.json', line: () => 1 }, 'project')).toEqual(settings)
})
