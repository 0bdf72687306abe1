import { expect, test } from 'vitest'
import { providers } from './providers.ts'
import { truncations } from './truncations.ts'

const left = providers.filter(({ protocol }) => protocol === 'responses')

test('what truncation.test.ts leaves out is cut here, for each spec', () => {
  expect(left.map(({ name }) => name)).toEqual(['v2', 'v3', 'v4'].map(spec => `OpenAI Responses, ${spec}`))
})

// A sample; `npm run test:streams` cuts after every byte.
truncations(left, process.env['TURNBUCKLE_STREAMS'] === 'full' ? 1 : 3)
