import { isFile } from './message.ts'

/** For `JSON.stringify`: a file is only named, for who has no use for its bytes. */
export const namingFiles = (_key: string, value: unknown): unknown =>
  isFile(value) ? `[${value.name ?? value.mediaType}]` : value
