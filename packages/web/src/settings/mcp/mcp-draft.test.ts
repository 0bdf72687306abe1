import { expect, test } from 'vitest'
import { mcpDraft, mcpSettingOf } from './mcp-draft.ts'

test('a server of the file becomes a draft without its secrets, and the same server again', () => {
  const told = { command: 'npx', args: ['-y', 'docs server'], env: ['DOCS_KEY'] }
  const draft = mcpDraft('docs', told)
  expect(draft).toEqual({
    name: 'docs',
    kind: 'command',
    command: 'npx',
    args: '-y\ndocs server',
    url: '',
    secrets: '',
  })
  expect(mcpSettingOf(draft)).toEqual({ command: 'npx', args: ['-y', 'docs server'] })
})

test.each([
  { change: { secrets: 'A=1\n B = x=y \nOLD=' }, setting: { command: 'npx', env: { A: '1', B: 'x=y', OLD: null } } },
  {
    change: { kind: 'url', url: ' https://far ', secrets: 'authorization=Bearer x' },
    setting: { url: 'https://far', headers: { authorization: 'Bearer x' } },
  },
  { change: { name: 'a b' }, setting: 'The name has letters, digits, dots, dashes and underscores.' },
  { change: { command: ' ' }, setting: 'Write the program that is run.' },
  { change: { kind: 'url', url: 'far' }, setting: 'The address begins with https:// or http://.' },
  { change: { secrets: 'just words' }, setting: '“just words” is no NAME=value.' },
] as const)('$change is read as $setting', ({ change, setting }) => {
  expect(mcpSettingOf({ ...mcpDraft('docs', { command: 'npx' }), ...change })).toEqual(setting)
})
