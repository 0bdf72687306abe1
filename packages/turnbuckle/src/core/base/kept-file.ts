import type { FilePart } from './message.ts'

const scheme = 'turnbuckle-file:'

/** The address of a file whose bytes a store keeps beside the log: it stands as `data` in the file part of a message. */
export const keptFileAddress = (id: string): string => `${scheme}${id}`

/** The id of the kept file that a part's `data` is the address of; `undefined` for bytes, Base64 and any other address. */
export const keptFileId = (data: FilePart['data']): string | undefined =>
  typeof data === 'string' && data.startsWith(scheme) ? data.slice(scheme.length) : undefined
