import { TurnbuckleError } from 'turnbuckle'
import type { ProviderTrial, ProviderTrialResult } from 'turnbuckle/client'
import { defaultModel } from 'turnbuckle/models'
import { fetchIfListening } from '../compose/model/fetch-if-listening.ts'
import { tryModel } from '../compose/model/try-model.ts'
import type { ProviderChoice } from '../settings/provider-choices.ts'
import { checkAddress, refuseFixed } from './check-settings-change.ts'
import { type SettingOrigins, variableSource } from './setting-sources.ts'

export interface TrialPlace {
  readonly origins: SettingOrigins
  readonly env: NodeJS.ProcessEnv
  /** The default model. */
  readonly model: string
}

/** Asks a model of a provider one thing, with a key and an address that are not kept. */
export async function trialOf(
  provider: ProviderChoice,
  { key, address, model: wanted }: ProviderTrial,
  { origins, env: now, model: current }: TrialPlace,
): Promise<ProviderTrialResult> {
  if (key !== undefined && provider.key === undefined)
    throw new TurnbuckleError('setting.invalid', `${provider.name} takes no key.`)
  if (address !== undefined && key === undefined)
    refuseFixed(provider.address, variableSource(origins, provider.address))
  checkAddress(provider, { key, address }, now)
  const env = {
    ...now,
    ...(key === undefined || provider.key === undefined ? {} : { [provider.key]: key }),
    ...(address === undefined ? {} : { [provider.address]: address }),
  }
  const model = wanted ?? (isOf(provider, current) ? current : await usualModel(provider, env))
  if (model === undefined || !isOf(provider, model))
    throw new TurnbuckleError('setting.invalid', `Name a model of ${provider.name}: ${provider.name}/…`)
  const problem = await tryModel(model, env)
  return problem === undefined ? { works: true, model } : { works: false, model, problem: without(problem, key) }
}

const isOf = ({ name }: ProviderChoice, model: string): boolean => model.startsWith(`${name}/`)

/** The model of a provider that is used when none is named; undefined where there is none. */
async function usualModel(provider: ProviderChoice, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { key, address } = provider
  const alone = { [address]: env[address], ...(key === undefined ? {} : { [key]: env[key] || 'any' }) }
  const model = await defaultModel(alone, { fetch: fetchIfListening })
  return isOf(provider, model) ? model : undefined
}

/** A provider may repeat the key in its refusal. */
const without = (problem: string, key: string | undefined): string => (key ? problem.replaceAll(key, '…') : problem)
