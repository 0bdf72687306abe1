import type { TurnbuckleError } from 'turnbuckle'
import { UserError } from '../../errors/user-error.ts'
import type { LoadedSettings } from '../../settings/load-settings.ts'
import { fetchIfListening } from './fetch-if-listening.ts'

/** The name of the agent's model: `wanted` (a flag), that of the settings, or the first that is set up here. Throws for an unknown name. */
export async function chooseModel(
  { user, project, where }: LoadedSettings,
  wanted: string | undefined,
  missing: string[],
): Promise<string> {
  const named = wanted ?? project.model ?? user.model
  if (named === undefined) {
    const { defaultModel } = await import('turnbuckle/models')
    return defaultModel(process.env, { fetch: fetchIfListening })
  }
  const place = where(project.model === undefined ? 'user' : 'project', 'model')
  return checkNamedModel(named, wanted === undefined ? place : '--model: ', missing)
}

/** Throws for an unknown model name, with its place in the settings. A missing key or package is only a notice: `/model` may choose another model. */
export async function checkNamedModel(named: string, place: string, missing: string[]): Promise<string> {
  if (named === 'offline') return named
  const { checkModel } = await import('turnbuckle/models')
  try {
    checkModel(named)
  } catch (error) {
    const { code, message } = error as TurnbuckleError
    if (code === 'model.unknown') throw new UserError(`${place}${message}`)
    missing.push(message)
  }
  return named
}
