import { TurnbuckleError } from 'turnbuckle'
import type { SettingsChange } from 'turnbuckle/client'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { type ProviderChoice, providerChoices } from '../settings/provider-choices.ts'
import { fixedBy, type SettingOrigins, sourceOf, variableSource } from './setting-sources.ts'

const variables = providerChoices.flatMap(({ key, address }) => [...(key === undefined ? [] : [key]), address])

/** Throws `setting.fixed` for a setting that something counts more for than the user's file, `setting.invalid` for one that makes no sense. */
export function checkSettingsChange(
  { model, instructions, params = {}, env = {} }: SettingsChange,
  origins: SettingOrigins,
  now: NodeJS.ProcessEnv,
): void {
  const paths = [
    ...(model === undefined ? [] : [['model']]),
    ...(instructions === undefined ? [] : [['instructions']]),
    ...Object.keys(params).map(name => ['params', name]),
  ]
  for (const path of paths) refuseFixed(path.join('.'), sourceOf(origins, ...path))
  for (const name of Object.keys(env)) {
    if (!variables.includes(name))
      throw new TurnbuckleError('setting.invalid', `"${name}" is no key or address. ${suggestNearest(name, variables)}`)
    refuseFixed(name, variableSource(origins, name))
  }
  for (const provider of providerChoices)
    checkAddress(provider, { key: env[provider.key ?? ''] ?? undefined, address: env[provider.address] }, now)
}

export function refuseFixed(name: string, source: ReturnType<typeof sourceOf>): void {
  if (source.fixed)
    throw new TurnbuckleError('setting.fixed', `"${name}" is set by ${fixedBy(source)}. Change it there.`)
}

/**
 * Throws for an address that is none, and for a new one without the key beside it: nobody may send a key that they do not know to an
 * address of their choice.
 */
export function checkAddress(
  provider: ProviderChoice,
  given: { readonly key?: string | undefined; readonly address?: string | null | undefined },
  now: NodeJS.ProcessEnv,
): void {
  const { address } = given
  if (address == null || address === now[provider.address]) return
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new TurnbuckleError('setting.invalid', `${provider.address} is not an address. Write https://host.`)
  if (provider.key !== undefined && now[provider.key] && given.key === undefined)
    throw new TurnbuckleError(
      'setting.invalid',
      `A new address needs the key once more: without it ${provider.key} would be sent to ${new URL(address).host}.`,
    )
}
