import * as turnbuckle from 'turnbuckle'
import * as middleware from 'turnbuckle/middleware'
import * as stores from 'turnbuckle/stores'
import * as testing from 'turnbuckle/testing'
import { type Pace, pacedModel } from './pace.ts'

/** The modules that a visitor's files may import. Agents speak at the page's pace; `onThrow` hears what a hook of the visitor throws. */
export function visitorModules(pace: Pace, onThrow: (error: unknown) => void): Readonly<Record<string, object>> {
  const createAgent = (options: turnbuckle.CreateAgentOptions): turnbuckle.Agent => {
    const model = options.model === 'offline' ? turnbuckle.offline() : options.model
    return turnbuckle.createAgent({
      ...options,
      model: typeof model === 'object' && 'stream' in model ? pacedModel(model as turnbuckle.Model, pace) : model,
    })
  }
  return {
    turnbuckle: { ...turnbuckle, createAgent, middleware: watchedMiddleware(onThrow) },
    'turnbuckle/middleware': middleware,
    'turnbuckle/stores': stores,
    'turnbuckle/testing': testing,
  }
}

type Hook = (...given: unknown[]) => unknown

/** `middleware` whose hooks tell what they throw, with its stack, before the loop has put it into words. */
function watchedMiddleware(onThrow: (error: unknown) => void): (definition: Record<string, unknown>) => unknown {
  const watched = (hook: Hook): Hook =>
    function (this: unknown, ...given) {
      const rethrow = (error: unknown): never => {
        onThrow(error)
        throw error
      }
      try {
        const returned = hook.apply(this, given)
        return returned instanceof Promise ? returned.catch(rethrow) : returned
      } catch (error) {
        return rethrow(error)
      }
    }
  return definition =>
    (turnbuckle.middleware as (given: unknown) => unknown)(
      Object.fromEntries(
        Object.entries(definition).map(([key, value]) =>
          /^(before|wrap|after|on)[A-Z]/.test(key) && typeof value === 'function'
            ? [key, watched(value as Hook)]
            : [key, value],
        ),
      ),
    )
}
