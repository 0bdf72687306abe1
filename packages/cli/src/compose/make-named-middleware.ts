import type { Middleware } from 'turnbuckle'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'

/** Middleware of `turnbuckle/middleware` that needs nothing but plain options. Others are written as a module. */
export const middlewareNames: readonly string[] = [
  'analysis',
  'circuit-breaker',
  'clarify',
  'clear-tool-results',
  'continuation',
  'cost-limit',
  'dry-run',
  'error-policy',
  'error-threshold',
  'error-tracking',
  'finish-reason',
  'instructions',
  'loop-detection',
  'model-cache',
  'moderation',
  'pii',
  'prompt-cache',
  'prompt-injection',
  'rate-limit',
  'refine',
  'retry',
  'sanitize',
  'secrets',
  'skills',
  'step-limit',
  'time-limit',
  'timeout',
  'todo',
  'token-limit',
  'tool-cache',
  'tool-groups',
  'tool-limit',
  'tool-retry',
  'trim',
  'validate-input',
]

export const unknownMiddlewareText = (name: string): string =>
  `There is no middleware "${name}". ${suggestNearest(name, middlewareNames)} A module's path begins with "./".`

type Factory = (options?: unknown) => Middleware | readonly Middleware[]

/** The middleware of that name, made with the options of the settings. */
export async function makeNamedMiddleware(name: string, options: unknown): Promise<readonly Middleware[]> {
  if (!middlewareNames.includes(name)) throw new UserError(unknownMiddlewareText(name))
  const all = (await import('turnbuckle/middleware')) as unknown as Readonly<Record<string, Factory>>
  const make = all[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] as Factory
  try {
    return [make(options)].flat()
  } catch (error) {
    throw new UserError(`The middleware "${name}" does not take these options: ${(error as Error).message}`)
  }
}
