import { afterEach, expect, test, vi } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

afterEach(() => vi.unstubAllEnvs())

/** A model that is changed by name. */
const model = () => ({
  id: 'offline',
  async use(name: string) {
    if (name === 'nobody/none') throw new Error('There is no provider "nobody".')
    this.id = name
  },
})

test('/model with a name changes the model, or says why not', async () => {
  const { session } = chatSession({}, { model: model() })
  await runSlashCommand(session, '/model openai/gpt')
  expect(lastText(session)).toBe('The model is openai/gpt.')
  expect(session.state.model).toBe('openai/gpt')
  await runSlashCommand(session, '/model nobody/none')
  expect(lastText(session)).toBe('There is no provider "nobody".')
})

test('/model offers the present model, those whose key is set, and offline last', async () => {
  for (const key of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']) vi.stubEnv(key, '')
  const { session } = chatSession({}, { model: model() })
  const offered = async () => {
    await runSlashCommand(session, '/model')
    return session.state.picker?.items.map(({ id }) => id) ?? []
  }
  expect((await offered()).some(id => id.startsWith('anthropic/'))).toBe(false)
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk')
  const names = await offered()
  expect(names.some(id => id.startsWith('anthropic/'))).toBe(true)
  expect(names[0]).toBe('offline')
  expect(new Set(names).size).toBe(names.length)
  session.state.picker?.take('anthropic/other')
  await vi.waitFor(() => expect(lastText(session)).toBe('The model is anthropic/other.'))
})
