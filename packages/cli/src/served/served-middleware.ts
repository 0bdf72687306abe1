import type { MiddlewareSetting, WireMiddlewareEntry } from 'turnbuckle/client'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import {
  type ConfiguredMiddleware,
  makeMiddleware,
  readEntry,
  registerMiddleware,
} from '../compose/configured-middleware.ts'
import { readSwitches } from '../compose/middleware-switches.ts'
import { safetyNetNames } from '../compose/own-middleware.ts'
import type { MiddlewareEntry } from '../settings/settings.ts'

/** Puts a prepared change into force. Returns how to undo it. */
type Apply = () => () => void
type Undo = () => void

/** The entries of the settings' `middleware` while the server runs. */
export class ServedMiddleware {
  readonly #composed: ComposedAgent
  /** The user's entries that count from the next start on: they take the place of a safety net, or leave it. */
  #later: readonly MiddlewareEntry[] = []

  constructor(composed: ComposedAgent) {
    this.#composed = composed
  }

  list(): readonly WireMiddlewareEntry[] {
    const { configured, untrusted } = this.#composed
    const later = this.#later.map(entry => ({
      ...wireEntry({ entry, from: 'user', active: [] }),
      later: true as const,
    }))
    return [...configured.map(wireEntry), ...later, ...untrusted.map(wireEntry)]
  }

  /**
   * Makes what the user's entries name, without registering it: options that do not fit are refused here. Entries that stay as they are
   * keep their middleware; a changed one runs behind the others of its priority until the next start.
   */
  async prepare(entries: readonly MiddlewareSetting[]): Promise<Apply> {
    const { configured, loaded } = this.#composed
    const left = configured.filter(({ from }) => from === 'user')
    const changes: (() => Undo)[] = []
    const later: MiddlewareEntry[] = []
    for (const [i, entry] of entries.entries()) {
      const at = left.findIndex(known => known.entry.use === entry.use)
      const [known] = at < 0 ? [] : left.splice(at, 1)
      if (!known && this.#isOfProgram(entry.use)) {
        await makeMiddleware({ entry, code: undefined })
        later.push(entry)
      } else if (!known) changes.push(await this.#added(await readEntry(loaded, entry, 'user', String(i))))
      else if (JSON.stringify(known.entry) !== JSON.stringify(entry)) changes.push(await this.#changed(known, entry))
    }
    changes.unshift(...left.map(known => () => this.#remove(known)))
    return () => this.#apply(changes, later)
  }

  /** The program itself has registered a middleware of that name: an entry takes its place with the next start. */
  #isOfProgram(use: string): boolean {
    const { agent, configured } = this.#composed
    const ofEntries = configured.flatMap(({ active }) => active.map(({ name }) => name))
    return agent.middleware.some(({ name }) => name === use && !ofEntries.includes(name))
  }

  #apply(changes: readonly (() => Undo)[], later: readonly MiddlewareEntry[]): Undo {
    const before = this.#later
    const undos: Undo[] = []
    const undo = () => {
      for (const one of undos.reverse()) one()
      this.#later = before
    }
    try {
      for (const change of changes) undos.push(change())
    } catch (error) {
      undo()
      throw error
    }
    this.#later = later
    return undo
  }

  async #added(added: ConfiguredMiddleware): Promise<() => Undo> {
    const made = await makeMiddleware(added)
    const { agent, configured, loaded } = this.#composed
    return () => {
      registerMiddleware(agent, added, made, readSwitches(loaded.home, loaded.root))
      const projects = configured.findIndex(({ from }) => from === 'project')
      configured.splice(projects < 0 ? configured.length : projects, 0, added)
      return () => this.#remove(added)
    }
  }
  async #changed(known: ConfiguredMiddleware, entry: MiddlewareEntry): Promise<() => Undo> {
    const made = await makeMiddleware({ entry, code: known.code })
    const before = { entry: known.entry, made: known.active }
    const put = (next: { readonly entry: MiddlewareEntry; readonly made: typeof made }) => {
      const register = () => registerMiddleware(this.#composed.agent, known, next.made, {})
      const isSwitched = known.entry.enabled !== next.entry.enabled
      known.entry = next.entry
      if (isSwitched) register()
      else this.#keepSwitches(register)
    }
    return () => {
      try {
        put({ entry, made })
      } catch (error) {
        known.entry = before.entry
        throw error
      }
      return () => put(before)
    }
  }
  #remove(known: ConfiguredMiddleware): Undo {
    const { agent, configured, loaded } = this.#composed
    const [at, made] = [configured.indexOf(known), known.active]
    configured.splice(at, 1)
    // In the place of a safety net it works until the next start, which brings the net back.
    if (safetyNetNames.includes(known.entry.use)) return () => void configured.splice(at, 0, known)
    for (const remove of known.removers) remove()
    known.removers = []
    known.active = []
    return () => {
      registerMiddleware(agent, known, made, readSwitches(loaded.home, loaded.root))
      configured.splice(at, 0, known)
    }
  }

  /** A middleware that comes back under its name is switched as it was, for everyone and in conversations. */
  #keepSwitches(register: () => void): void {
    const { agent } = this.#composed
    const before = agent.middleware
    register()
    for (const { name, enabled } of agent.middleware) {
      const was = before.find(one => one.name === name)
      if (was?.enabled === false && enabled) agent.disable(name)
      for (const [id, isOn] of Object.entries(was?.inConversations ?? {}))
        if (isOn) agent.enable(name, id)
        else agent.disable(name, id)
    }
  }
}

const wireEntry = ({ entry, from, active }: Pick<ConfiguredMiddleware, 'entry' | 'from' | 'active'>) => {
  const { use, options, priority, enabled } = entry
  return {
    use,
    from,
    names: active.map(({ name }) => name),
    ...(options === undefined ? {} : { options }),
    ...(priority === undefined ? {} : { priority }),
    ...(enabled === undefined ? {} : { enabled }),
  }
}
