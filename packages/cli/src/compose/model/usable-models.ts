import { checkModel, prices } from 'turnbuckle/models'
import { fetchIfListening } from './fetch-if-listening.ts'

/** Milliseconds that a local Ollama has to answer. */
const patience = 300

/** The names of models that can be used with the keys there are: those with a known price, those of a local Ollama, and `offline`. */
export async function usableModels(env: NodeJS.ProcessEnv = process.env): Promise<readonly string[]> {
  const isUsable = (name: string) => {
    try {
      checkModel(name, env)
      return true
    } catch {
      return false
    }
  }
  const local = await ollamaModels(env.OLLAMA_BASE_URL || 'http://127.0.0.1:11434')
  return [...Object.keys(prices).filter(isUsable), ...local, 'offline']
}

async function ollamaModels(address: string): Promise<readonly string[]> {
  try {
    const response = await fetchIfListening(new URL('/api/tags', address), { signal: AbortSignal.timeout(patience) })
    const { models = [] } = (await response.json()) as { models?: readonly { readonly name?: unknown }[] }
    return models.flatMap(({ name }) => (typeof name === 'string' ? [`ollama/${name}`] : []))
  } catch {
    return []
  }
}
