import { checkModel } from 'turnbuckle/models'
import { expect, test } from 'vitest'
import { providerChoices } from './provider-choices.ts'

test.each(providerChoices)('a model of $name can be used with the variables that setup asks for', choice => {
  const { name, key, address } = choice
  const env = { ...(key === undefined ? {} : { [key]: 'k' }), [address]: 'http://127.0.0.1:9/v1' }
  expect(() => checkModel(`${name}/any`, env)).not.toThrow()
  if (key !== undefined && name !== 'compatible') expect(() => checkModel(`${name}/any`, {})).toThrow(key)
})
