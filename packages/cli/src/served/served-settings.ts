import type { ServerSettings, TrustedContent } from '@turnbuckle/server'
import { TurnbuckleError } from 'turnbuckle'
import type {
  AuditEntry,
  ProviderTrial,
  ProviderTrialResult,
  SettingsChange,
  ToolPermission,
  WireMcpServer,
  WireSetting,
  WireSettings,
  WireTrustItem,
} from 'turnbuckle/client'
import { toolPermission } from 'turnbuckle/middleware'
import { defaultModel, resolveModel } from 'turnbuckle/models'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { readMcpServers } from '../compose/connect-mcp-servers.ts'
import { middlewareNames } from '../compose/make-named-middleware.ts'
import { fetchIfListening } from '../compose/model/fetch-if-listening.ts'
import { paramsOf } from '../compose/model/model-params.ts'
import { harmlessTools, permissionRules } from '../compose/own-middleware.ts'
import { changeUserFile, readUserFile, userFile } from '../settings/change-user-file.ts'
import { providerChoices } from '../settings/provider-choices.ts'
import { paramNames, type Settings } from '../settings/settings.ts'
import { trustedItems } from '../settings/trust-file.ts'
import { changedUserSettings } from './changed-user-settings.ts'
import { checkSettingsChange, refuseOutdatedList } from './check-settings-change.ts'
import { listedMcpServers } from './listed-mcp-servers.ts'
import { ServedMiddleware } from './served-middleware.ts'
import type { ServedModels } from './served-models.ts'
import { settingRefusal } from './setting-refusal.ts'
import { type SettingOrigins, sourceOf, variablesInForce, withoutPassword } from './setting-sources.ts'
import { startSettings } from './start-settings.ts'
import { trialOf } from './trial-of.ts'
import { TrustDesk } from './trust-desk.ts'
import { wireMcpSettings } from './wire-mcp-settings.ts'

export interface ServedSettingsOptions {
  readonly composed: ComposedAgent
  readonly models: ServedModels
  /** Settings of the command line. */
  readonly flags: SettingOrigins['flags']
  readonly env?: NodeJS.ProcessEnv
}

/** The settings of `turnbuckle serve` for its server: read from the files, and changed in the user's. */
export class ServedSettings implements ServerSettings {
  readonly #composed: ComposedAgent
  readonly #models: ServedModels
  readonly #flags: SettingOrigins['flags']
  readonly #env: NodeJS.ProcessEnv
  readonly #desk: TrustDesk
  /** The user's settings that are in force: as loaded, with the changes since. */
  #user: Settings
  readonly #middleware: ServedMiddleware
  #last: Promise<void> = Promise.resolve()

  constructor({ composed, models, flags, env = process.env }: ServedSettingsOptions) {
    this.#composed = composed
    this.#models = models
    this.#flags = flags
    this.#env = env
    this.#desk = new TrustDesk(composed)
    this.#user = composed.loaded.user
    this.#middleware = new ServedMiddleware(composed)
  }
  get #origins(): SettingOrigins {
    return { loaded: this.#composed.loaded, user: this.#user, flags: this.#flags }
  }

  async read(): Promise<WireSettings> {
    const { home } = this.#composed.loaded
    return {
      file: userFile(home),
      settings: this.#inForce(),
      env: variablesInForce(this.#origins, this.#env),
      providers: providerChoices.map(({ at: _, ...provider }) => provider),
      middleware: this.#middleware.list(),
      middlewareNames,
      permissions: {
        user: this.#user.permissions ?? {},
        project: this.#composed.loaded.project.permissions ?? {},
        harmless: harmlessTools,
      },
      mcpServers: wireMcpSettings(this.#user.mcpServers),
    }
  }
  #inForce(): Record<string, WireSetting> {
    const { live, model, loaded } = this.#composed
    const { project } = loaded
    const all: Record<string, WireSetting> = {}
    const put = (value: unknown, ...path: readonly string[]) => {
      all[path.join('.')] = { ...(value === undefined ? {} : { value }), ...sourceOf(this.#origins, ...path) }
    }
    put(model.id, 'model')
    put(live.instructions, 'instructions')
    for (const name of paramNames) put(live.params[name], 'params', name)
    for (const { path, value, ...later } of startSettings(loaded, this.#user))
      all[path.join('.')] = { value, ...later, ...sourceOf(this.#origins, ...path) }
    const store = project.store ?? this.#user.store
    put(store === undefined ? 'in the user’s folder, one file per project' : withoutPassword(store), 'store')
    return all
  }

  /** One at a time: what a change is checked against is what it changes. */
  change(change: SettingsChange): Promise<void> {
    const done = this.#last.then(() => this.#change(change))
    this.#last = done.catch(() => {})
    return done
  }
  async #change(change: SettingsChange): Promise<void> {
    const { home } = this.#composed.loaded
    checkSettingsChange(change, this.#origins, this.#env)
    const env = this.#envAfter(change)
    if (typeof change.model === 'string') await resolveModel(change.model, { env })
    await settingRefusal(async () => {
      const apply =
        change.middleware === undefined ? undefined : await this.#middleware.prepare(change.middleware ?? [])
      refuseOutdatedList(change, this.#user, readUserFile(home))
      const undo = apply?.()
      try {
        changeUserFile(home, before => changedUserSettings(before, change))
      } catch (error) {
        undo?.()
        throw error
      }
    })
    this.#user = changedUserSettings(this.#user, change)
    await this.#putIntoForce(change)
  }
  #envAfter({ env = {} }: SettingsChange): NodeJS.ProcessEnv {
    return { ...this.#env, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ''])) }
  }
  async #putIntoForce({ env = {}, mcpServers }: SettingsChange): Promise<void> {
    const { live, model, loaded } = this.#composed
    const both = { user: this.#user, project: loaded.project }
    for (const [name, value] of Object.entries(env))
      if (value === null) delete this.#env[name]
      else this.#env[name] = value
    this.#models.forget()
    live.instructions = both.project.instructions ?? both.user.instructions
    live.params = paramsOf(both)
    live.permissions = permissionRules(both)
    if (mcpServers) await this.#replaceUserServers()
    const named = this.#flags.model ?? both.project.model ?? both.user.model
    model.turnTo(named ?? (await defaultModel(this.#env, { fetch: fetchIfListening })))
  }

  /** Servers of the project, in whichever file of it, stay as they are. */
  async #replaceUserServers(): Promise<void> {
    const { loaded, configuredServers, replaceMcpServers } = this.#composed
    const own = readMcpServers({ ...loaded, user: this.#user, project: {} })
    await replaceMcpServers([...own, ...configuredServers.filter(({ from }) => from !== 'user')])
  }

  async testProvider(name: string, given: ProviderTrial): Promise<ProviderTrialResult> {
    const provider = providerChoices.find(one => one.name === name)
    if (!provider) throw new TurnbuckleError('provider.missing', `There is no provider "${name}".`)
    return trialOf(provider, given, { origins: this.#origins, env: this.#env, model: this.#composed.model.id })
  }

  permissionOf(tool: string): ToolPermission {
    return toolPermission(permissionRules({ user: this.#user, project: this.#composed.loaded.project }), tool)
  }
  mcpServers(): readonly WireMcpServer[] {
    return listedMcpServers(this.#composed)
  }
  untrusted(): Promise<readonly WireTrustItem[]> {
    return this.#desk.list()
  }
  trust(content: TrustedContent, by: string): Promise<void> {
    return this.#desk.trust(content, by)
  }
  trusted(): readonly AuditEntry[] {
    const { home, root } = this.#composed.loaded
    return trustedItems(home, root)
  }
}
