import { expect, test } from 'vitest'
import { scenarioOf } from '../scenarios/scenarios.ts'
import { hookLine } from './hook-lines.ts'

const lineText = (id: string, by: string, at: string): string | undefined => {
  const { files } = scenarioOf(id)
  const found = hookLine(files, { by, at })
  return found && files[found.file].split('\n')[found.line - 1]?.trim()
}

test.each([
  ['block', 'no-deletes', 'beforeTool', 'beforeTool(ctx) {'],
  [
    'winner',
    'eager',
    'afterModel',
    "const eager = middleware({ name: 'eager', afterModel: () => again('More, please.') })",
  ],
  ['redact', 'redact', 'onChunk', "export default redact(/EMP-\\d{6}/, '[employee]')"],
  ['redact', 'wiretap', 'onChunk', 'onChunk(chunk) {'],
  ['cost', 'continuation-cost', 'beforeStep', 'export default continuation({'],
])('in %s, %s of %s is found', (id, by, at, line) => {
  expect(lineText(id, by, at)).toBe(line)
})

test('a hook that is in no file has no line', () => {
  expect(lineText('block', 'circuit-breaker', 'afterDetect')).toBeUndefined()
  expect(lineText('block', 'no-deletes', 'afterTool')).toBeUndefined()
})
