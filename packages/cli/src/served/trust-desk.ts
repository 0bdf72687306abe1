import type { TrustedContent } from '@turnbuckle/server'
import { TurnbuckleError } from 'turnbuckle'
import type { WireTrustItem } from 'turnbuckle/client'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import {
  type ConfiguredMiddleware,
  hookTrustItem,
  makeMiddleware,
  registerMiddleware,
} from '../compose/configured-middleware.ts'
import { readSwitches } from '../compose/middleware-switches.ts'
import { bundleModule } from '../settings/bundle-module.ts'
import type { TrustItem } from '../settings/trust-file.ts'
import { settingRefusal } from './setting-refusal.ts'

/** Content that waits for trust, and its beginning to work once it is trusted. */
interface Waiting {
  readonly item: TrustItem
  /** Absent for content that works from the next start on. */
  readonly begin?: () => Promise<void>
}

/** Parts of the project that wait for trust while the server runs: also hooks that were changed since the start. */
export class TrustDesk {
  readonly #composed: ComposedAgent

  constructor(composed: ComposedAgent) {
    this.#composed = composed
  }

  async list(): Promise<readonly WireTrustItem[]> {
    const { root, trust } = this.#composed.loaded
    return (await this.#waiting()).map(({ item }) => trust.compared(root, item))
  }

  /** Trusts what was shown, and nothing else: content that is another by now is refused. */
  async trust({ kind, name, hash }: TrustedContent, by: string): Promise<void> {
    const { root, trust } = this.#composed.loaded
    const found = (await this.#waiting()).find(({ item }) => item.kind === kind && item.name === name)
    if (!found) throw new TurnbuckleError('trust.missing', `"${name}" does not wait for trust.`)
    if (found.item.hash !== hash)
      throw new TurnbuckleError('trust.changed', `"${name}" has changed since. Look at it once more.`)
    trust.add(root, [found.item], by)
    await settingRefusal(async () => found.begin?.())
  }

  async #waiting(): Promise<readonly Waiting[]> {
    const { configured, untrusted, configuredServers, loaded } = this.#composed
    const hooks = await Promise.all([...configured, ...untrusted].map(one => this.#changedHook(one)))
    const servers = configuredServers.flatMap(server =>
      server.item ? [{ item: server.item, begin: () => this.#startServer(server) }] : [],
    )
    const all: readonly Waiting[] = [...loaded.refused.map(item => ({ item })), ...hooks.flat(), ...servers]
    return all.filter(({ item }) => !loaded.trust.has(loaded.root, item))
  }
  /** A server whose name another has, the user's own, takes its place with the next start. */
  async #startServer(server: ComposedAgent['configuredServers'][number]): Promise<void> {
    const { mcpServers, startMcpServer } = this.#composed
    if (!mcpServers().some(({ name }) => name === server.name)) await startMcpServer(server)
  }

  /** The module as it is on the disk now. One that is broken does not wait for trust: it cannot run. */
  async #changedHook(configured: ConfiguredMiddleware): Promise<readonly Waiting[]> {
    if (configured.from !== 'project' || !configured.code) return []
    const code = await bundleModule(configured.code.path).catch(() => undefined)
    if (!code) return []
    const begin = async () => {
      const { agent, loaded } = this.#composed
      const made = await makeMiddleware({ entry: configured.entry, code })
      registerMiddleware(agent, configured, made, readSwitches(loaded.home, loaded.root))
      configured.code = code
    }
    return [{ item: hookTrustItem(configured.entry, code), begin }]
  }
}
