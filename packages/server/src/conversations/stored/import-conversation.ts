import { TurnbuckleError } from 'turnbuckle'
import { type ConversationStore, importConversation as importIntoStore } from 'turnbuckle/stores'
import { parseJson } from '../../base/parse-json.ts'
import type { UploadedFiles } from './uploaded-files.ts'

/** Base64 characters from which on a file of an imported message is kept beside the log. */
const longFile = 64 * 1024

interface Importing {
  readonly store: ConversationStore | undefined
  readonly files: UploadedFiles
  readonly owner: string
}

/** Makes a conversation, under a new id, of an exported one: JSON or Markdown. Throws `import.invalid` with place and reason. */
export async function importConversation(text: string, { store, files, owner }: Importing): Promise<string> {
  if (!store)
    throw new TurnbuckleError('store.missing', 'This server has no store to import into: createServer({ store }).')
  const id = `conv_${crypto.randomUUID()}`
  try {
    const given = text.replace(/^\uFEFF/, '')
    const file = /^\s*\{/.test(given) ? JSON.stringify(await withFilesAside(parseJson(given), id, owner, files)) : given
    return await importIntoStore(store, file, { id, owner })
  } catch (error) {
    await files.eraseOf(id)
    throw error
  }
}

/** The parsed file with addresses in place of long files. Its form is checked afterwards: what has another form stays as it is. */
async function withFilesAside(value: unknown, id: string, owner: string, files: UploadedFiles): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(item => withFilesAside(item, id, owner, files)))
  if (!isRecord(value)) return value
  if (isLongFile(value)) return { ...value, data: await files.keepFor(id, owner, value) }
  // Files are parts of messages, which stand in `nodes`, `message` and `content`; a tool's value may have anything.
  const entries = Object.entries(value).map(async ([name, member]) => [
    name,
    ['nodes', 'message', 'content'].includes(name) ? await withFilesAside(member, id, owner, files) : member,
  ])
  return Object.fromEntries(await Promise.all(entries))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isLongFile = (
  value: Readonly<Record<string, unknown>>,
): value is { readonly mediaType: string; readonly data: string; readonly name?: string } =>
  value['type'] === 'file' &&
  typeof value['mediaType'] === 'string' &&
  typeof value['data'] === 'string' &&
  (value['name'] === undefined || typeof value['name'] === 'string') &&
  value['data'].length > longFile &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(value['data'])
