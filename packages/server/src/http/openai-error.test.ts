import { expect, test } from 'vitest'
import { openAiError } from './openai-error.ts'

test.each([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [409, 'invalid_request_error'],
  [422, 'invalid_request_error'],
  [500, 'server_error'],
  [503, 'server_error'],
])('a call that is refused with %i is a %s to clients of OpenAI, under the server’s own code', (status, type) => {
  const error = openAiError(status, { code: 'turn.running', message: 'A turn runs.' })
  expect(error).toEqual({ error: { message: 'A turn runs.', type, param: null, code: 'turn.running' } })
})
