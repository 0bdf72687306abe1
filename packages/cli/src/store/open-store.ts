import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { ConversationStore } from 'turnbuckle/stores'
import { UserError } from '../errors/user-error.ts'
import { blameSetting } from '../settings/blame-setting.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { type AskTrust, contentHash, type TrustItem, untrustedNotice } from '../settings/trust-file.ts'

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
export async function openStore(loaded: LoadedSettings, ask?: AskTrust): Promise<OpenedStore> {
  const { project, user, root, home } = loaded
  const own = resolveStore(user.store, home) ?? `sqlite:${defaultPath(home, root)}`
  if (project.store === undefined) return opened(own)
  if (project.store === 'memory:') return opened('memory:')
  const address = project.store.slice('sqlite:'.length)
  const path = await blameSetting(loaded.where('project', 'store'), () => inside(root, address))
  const item: TrustItem = {
    kind: 'store',
    name: project.store,
    does: 'reads conversations that are in the project already',
    hash: contentHash(path),
  }
  if (!existsSync(path)) loaded.trust.add(root, [item])
  const { refused } = await loaded.trust.decide(root, [item], ask)
  return refused.length ? opened(own, untrustedNotice(refused)) : opened(`sqlite:${path}`)
}

/** Opens a store. Damage in it is the first notice. */
async function opened(address: string, ...notices: readonly string[]): Promise<OpenedStore> {
  const store = await open(address)
  return { store, address, notices: store.loss ? [store.loss.message, ...notices] : notices }
}

const resolveStore = (store: string | undefined, home: string): string | undefined =>
  store?.startsWith('sqlite:') ? `sqlite:${resolve(home, store.slice('sqlite:'.length))}` : store

const defaultPath = (home: string, root: string): string =>
  join(
    home,
    'conversations',
    `${basename(root) || 'root'}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}.db`,
  )

/** A project's database stays in the project, links followed. */
function inside(root: string, path: string): string {
  const full = resolve(root, path)
  let there = full
  while (!existsSync(there)) there = dirname(there)
  const real = realpathSync(there) + full.slice(there.length)
  if (!real.startsWith(root + sep))
    throw new UserError(`"sqlite:${path}" lies outside the project. Set it in your own file.`)
  return real
}

async function open(address: string): Promise<ConversationStore> {
  const { memoryStore, postgresStore, sqliteStore } = await import('turnbuckle/stores')
  if (address === 'memory:') return memoryStore()
  if (address.startsWith('sqlite:')) return sqliteStore(address.slice('sqlite:'.length), { onLoss() {} })
  return postgresStore(address)
}
