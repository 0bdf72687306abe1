import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { TurnbuckleError } from 'turnbuckle'
import type { ConversationStore, StoreOptions } from 'turnbuckle/stores'
import { UserError } from '../errors/user-error.ts'
import { blameSetting } from '../settings/blame-setting.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { type AskTrust, contentHash, type TrustItem, untrustedNotice } from '../settings/trust-file.ts'
import { pathIn, storeForms, storeKindOf, withPath } from './store-kinds.ts'

export interface OpenedStore {
  readonly store: ConversationStore
  /** `sqlite:/home/…` */
  readonly address: string
  readonly notices: readonly string[]
}

/**
 * Opens the store of the settings. By default a file in the user's folder, one per project: a log that a repository
 * brings along could hold answers that nobody gave, so one inside the project has to be trusted, unless it is made here.
 */
export async function openStore(
  loaded: LoadedSettings,
  ask?: AskTrust,
  options: StoreOptions = {},
): Promise<OpenedStore> {
  const { user, root, home } = loaded
  const wanted = loaded.project.store
  const own = resolveStore(user.store, home) ?? `sqlite:${defaultPath(home, root)}`
  if (user.store === undefined && wanted === undefined) return openedAtHome(own, options)
  if (wanted === undefined) return opened(own, options)
  if (storeKindOf(wanted)?.place === 'process') return opened(wanted, options)
  const path = await blameSetting(loaded.where('project', 'store'), () => inside(root, wanted))
  const item: TrustItem = {
    kind: 'store',
    name: wanted,
    does: 'reads conversations that are in the project already',
    hash: contentHash(path),
  }
  if (!existsSync(path)) loaded.trust.add(root, [item])
  const { refused } = await loaded.trust.decide(root, [item], ask)
  return refused.length ? opened(own, options, untrustedNotice(refused)) : opened(withPath(wanted, path), options)
}

/** Opens the store in the user's folder. Where that cannot be written, the error says how to name another. */
async function openedAtHome(address: string, options: StoreOptions): Promise<OpenedStore> {
  makeOwnFolder(dirname(pathIn(address)))
  try {
    return await opened(address, options)
  } catch (error) {
    const { code, message } = error as TurnbuckleError
    if (code !== 'store.readonly' && code !== 'store.unreachable') throw error
    throw new UserError(
      `Conversations cannot be kept. ${message} TURNBUCKLE_HOME names another folder; "store": "memory:" keeps nothing.`,
      1,
    )
  }
}

/** Nobody else on the machine reads what is said here. A folder that is there stays as its owner has made it. */
function makeOwnFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {
    // The store says what is wrong with it.
  }
}

/** Opens a store. Damage in it is the first notice. */
async function opened(address: string, options: StoreOptions, ...notices: readonly string[]): Promise<OpenedStore> {
  const kind = storeKindOf(address)
  if (!kind) throw new UserError(`"${address}" is no store: it must be ${storeForms}.`)
  const store = kind.open(await import('turnbuckle/stores'), address, options)
  return { store, address, notices: store.loss ? [store.loss.message, ...notices] : notices }
}

const resolveStore = (store: string | undefined, home: string): string | undefined =>
  store !== undefined && storeKindOf(store)?.place === 'file' ? withPath(store, resolve(home, pathIn(store))) : store

const defaultPath = (home: string, root: string): string =>
  join(
    home,
    'conversations',
    `${basename(root) || 'root'}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}.db`,
  )

/** A project's database stays in the project, links followed. */
function inside(root: string, address: string): string {
  const full = resolve(root, pathIn(address))
  let there = full
  while (!existsSync(there)) there = dirname(there)
  const real = realpathSync(there) + full.slice(there.length)
  if (!real.startsWith(root + sep))
    throw new UserError(`"${address}" lies outside the project. Set it in your own file.`)
  return real
}
