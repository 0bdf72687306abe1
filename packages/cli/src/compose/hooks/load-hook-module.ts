import { basename } from 'node:path'
import type { Middleware } from 'turnbuckle'
import { UserError } from '../../errors/user-error.ts'
import type { ModuleBundle } from '../../settings/bundle-module.ts'

/** The middleware that a module exports by default: one, several, or a function of the options that makes them. */
export async function loadHookModule(code: ModuleBundle, options: unknown): Promise<readonly Middleware[]> {
  const { default: value } = (await code.load()) as { default?: unknown }
  let made = value
  if (typeof value === 'function')
    try {
      made = await (value as (options: unknown) => unknown)(options)
    } catch (error) {
      throw new UserError(`${basename(code.path)} failed when it was called: ${(error as Error).message}`, 1)
    }
  const list = [made].flat()
  if (!list.every(isMiddleware))
    throw new UserError(
      `${basename(code.path)} must export a middleware by default: export default middleware({ name, … })`,
      1,
    )
  return list
}

function isMiddleware(value: unknown): value is Middleware {
  const { name, hooks } = (value ?? {}) as Partial<Middleware>
  return typeof name === 'string' && typeof hooks === 'object'
}
