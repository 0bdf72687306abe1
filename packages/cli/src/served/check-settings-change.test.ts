import { expect, test } from 'vitest'
import { providerChoices } from '../settings/provider-choices.ts'
import { checkAddress, checkSettingsChange } from './check-settings-change.ts'

const origins = {
  loaded: { project: {}, placeOf: () => 'turnbuckle.config.json:1', environment: new Set<string>() },
  user: {},
  flags: {},
}
const [anthropic] = providerChoices
const [key, address] = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']

test.each([
  { title: 'an address without a key to lose', given: { address: 'https://a.example' }, env: {} },
  { title: 'the address that is in force', given: { address: 'http://a' }, env: { [address]: 'http://a', [key]: 'k' } },
  { title: 'a new address with the key beside it', given: { address: 'http://b', key: 'k' }, env: { [key]: 'k' } },
  { title: 'an address that is taken away', given: { address: null }, env: { [key]: 'k' } },
])('$title is taken', ({ given, env }) => {
  if (anthropic) checkAddress(anthropic, given, env)
})

test.each([
  { given: { address: 'nowhere' }, says: 'is not an address' },
  { given: { address: 'javascript:1' }, says: 'is not an address' },
  { given: { address: 'https://evil.example' }, says: 'would be sent to evil.example' },
])('$given is refused: $says', ({ given, says }) => {
  expect(() => anthropic && checkAddress(anthropic, given, { [key]: 'k' })).toThrow(says)
})

test('a setting of the command line, the project or the environment is not changed here', () => {
  const change = (given: Parameters<typeof checkSettingsChange>[0], more: object) => () =>
    checkSettingsChange(given, { ...origins, ...more }, {})
  const project = { loaded: { ...origins.loaded, project: { params: { topP: 1 } } } }
  const environment = { loaded: { ...origins.loaded, environment: new Set([key]) } }
  expect(change({ model: 'offline' }, { flags: { model: 'offline' } })).toThrow('"model" is set by --model.')
  expect(change({ params: { topP: 0 } }, project)).toThrow('"params.topP" is set by turnbuckle.config.json:1.')
  expect(change({ params: { temperature: 0 } }, project)).not.toThrow()
  expect(change({ env: { [key]: 'x' } }, environment)).toThrow(`${key} in the environment`)
})
