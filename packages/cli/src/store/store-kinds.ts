import type { ConversationStore, StoreOptions } from 'turnbuckle/stores'

type Stores = typeof import('turnbuckle/stores')

/** A kind of store that the setting `store` can name. */
interface StoreKind {
  /** An address, as an error message writes it. */
  readonly form: string
  readonly pattern: RegExp
  /** A `file` is at the path behind the colon. One `elsewhere` may not be chosen by a project. */
  readonly place: 'process' | 'file' | 'elsewhere'
  readonly open: (stores: Stores, address: string, options: StoreOptions) => ConversationStore
}

/** Every kind of store that the programs can open. A new one is a row here. */
const storeKinds: readonly StoreKind[] = [
  {
    form: 'sqlite:FILE',
    pattern: /^sqlite:./,
    place: 'file',
    open: ({ sqliteStore }, address, options) => sqliteStore(pathIn(address), { ...options, onLoss() {} }),
  },
  {
    form: 'memory:',
    pattern: /^memory:$/,
    place: 'process',
    open: ({ memoryStore }, _, options) => memoryStore(options),
  },
  {
    form: 'postgres://…',
    pattern: /^postgres(ql)?:\/\//,
    place: 'elsewhere',
    open: ({ postgresStore }, address, options) => postgresStore(address, options),
  },
]

/** The kind of an address; none where it is not one. */
export const storeKindOf = (address: string): StoreKind | undefined =>
  storeKinds.find(({ pattern }) => pattern.test(address))

/** The addresses that can be given, for an error message. */
export const storeForms: string = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  storeKinds.map(({ form }) => `"${form}"`),
)

/** The path of a file's address. */
export const pathIn = (address: string): string => address.slice(address.indexOf(':') + 1)

/** The address of the same kind at another path. */
export const withPath = (address: string, path: string): string => address.slice(0, address.indexOf(':') + 1) + path
