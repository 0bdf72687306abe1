import { expect, test } from 'vitest'
import { FakeProvider } from '../../../test/fake-provider.ts'
import { tryModel } from './try-model.ts'

test('a model that answers has no problem, one that refuses has it in words', async () => {
  using provider = new FakeProvider()
  const env = await provider.listen()
  const works = tryModel('compatible/fake', env)
  const call = await provider.next()
  call.say('ok')
  call.end()
  expect(await works).toBeUndefined()
  const refused = tryModel('compatible/fake', env)
  ;(await provider.next()).refuse(401, 'Wrong key.')
  expect(await refused).toContain('answered 401: Wrong key.')
})

test('a model without its key is not even asked', async () => {
  expect(await tryModel('anthropic/x', {})).toContain('ANTHROPIC_API_KEY')
})
