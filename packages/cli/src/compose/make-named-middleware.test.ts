import { expect, test } from 'vitest'
import { makeNamedMiddleware, middlewareNames } from './make-named-middleware.ts'

const options: Readonly<Record<string, unknown>> = {
  continuation: { max: 3 },
  'cost-limit': { max: 1 },
  'error-policy': { tool: 'ignore' },
  'error-threshold': { max: 3 },
  instructions: 'Be brief.',
  moderation: { words: ['rude'] },
  'rate-limit': { limit: 1, perMs: 1000 },
  refine: { rounds: 1 },
  skills: [{ name: 'mail', description: 'Mail', instructions: 'Write mail.' }],
  'step-limit': { max: 3 },
  'time-limit': { max: 1000 },
  timeout: { model: 1000 },
  'token-limit': { max: 1000 },
  'tool-cache': { tools: ['read_file'] },
  'tool-groups': [{ name: 'files', description: 'Files', tools: ['read_file'] }],
  'tool-limit': { max: 3 },
  trim: { maxTokens: 1000 },
  'validate-input': { maxLength: 100 },
}

test.each(middlewareNames)('%s is made with plain options', async name => {
  const made = await makeNamedMiddleware(name, options[name])
  expect(made.length).toBeGreaterThan(0)
  // People who switch it read what it does.
  expect(made.filter(({ description = '' }) => !description.endsWith('.'))).toEqual([])
})

test.each([
  { name: 'step-limt', says: 'There is no middleware "step-limt". Did you mean "step-limit"?' },
  { name: 'step-limit', given: { max: 'x' }, says: 'The middleware "step-limit" does not take these options' },
])('$name with $given: $says', async ({ name, given, says }) => {
  await expect(makeNamedMiddleware(name, given)).rejects.toThrow(says)
})
