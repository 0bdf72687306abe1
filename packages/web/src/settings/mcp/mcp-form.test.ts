import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { McpForm } from './mcp-form.tsx'

const change = async () => true

test('a new server is asked for its name; one of the file keeps it', () => {
  expect(draw(McpForm, { change, done: () => {} })).toContain('Name <')
  const html = draw(McpForm, { name: 'docs', setting: { command: 'npx', env: ['KEY'] }, change, done: () => {} })
  expect(html).toContain('aria-label="docs"')
  expect(html).not.toContain('Name <')
  expect(html).toContain('Kept and never shown: KEY.')
})

test('an address has headers, a program arguments and variables', () => {
  const far = draw(McpForm, { name: 'far', setting: { url: 'https://far' }, change, done: () => {} })
  expect(far).toMatch(/Address.*value="https:\/\/far".*Headers/s)
  expect(far).not.toContain('Arguments')
})
