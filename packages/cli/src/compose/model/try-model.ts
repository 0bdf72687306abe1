import { createAgent } from 'turnbuckle'
import { timeout } from 'turnbuckle/middleware'
import { checkModel, type Environment, resolveModel } from 'turnbuckle/models'

/** Asks a model one thing with the keys and addresses that are given; gives the problem in words, if there is one. */
export async function tryModel(name: string, env: Environment): Promise<string | undefined> {
  try {
    checkModel(name, env)
    const agent = createAgent({ model: await resolveModel(name, { env }), use: [timeout({ model: 30_000 })] })
    await agent.send('Say "ok".')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
