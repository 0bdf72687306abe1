import { isFile } from './message.ts'

/** A replacer for `JSON.stringify` that puts a file's name in place of its bytes. */
export const namingFiles = (_key: string, value: unknown): unknown =>
  isFile(value) ? `[${value.name ?? value.mediaType}]` : value
