import type { Driver } from '../stores/driver.ts'

const filesSpace = 'files'
const piecesSpace = 'files.pieces'
/** Base64 characters of one piece: no write or read of a large file holds up the thread for long. A multiple of four. */
const pieceLength = 1024 * 1024

/** A file that a store keeps beside the logs: a message has its address, and not its bytes. */
export interface KeptFile {
  /** Cannot be guessed. */
  readonly id: string
  /** The person who uploaded it. */
  readonly by: string
  /** The IANA media type, as the uploader said it. */
  readonly mediaType: string
  /** The file's name, where it has one. */
  readonly name?: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The conversation that uses it, and that it is deleted with; none until a message has it. */
  readonly conversation?: string
}

/** The files of a store, in its spaces of values. */
export class KeptFiles {
  readonly #values: Pick<Driver, 'get' | 'set' | 'entries'>

  constructor(values: Pick<Driver, 'get' | 'set' | 'entries'>) {
    this.#values = values
  }

  /** Keeps a file; `data` is Base64. The entry comes last, so that a file that is found has all its bytes. */
  async put(file: KeptFile, data: string): Promise<void> {
    for (let i = 0; i * pieceLength < data.length; i++)
      await this.#values.set(piecesSpace, pieceKey(file.id, i), data.slice(i * pieceLength, (i + 1) * pieceLength))
    await this.#values.set(filesSpace, file.id, file)
  }
  /** The entry of a file by its id, whoever may use it. */
  async find(id: string): Promise<KeptFile | undefined> {
    return (await this.#values.get(filesSpace, id)) as KeptFile | undefined
  }
  /** Gives a file to a conversation, which it is deleted with. */
  async claim(file: KeptFile, conversation: string): Promise<void> {
    await this.#values.set(filesSpace, file.id, { ...file, conversation })
  }
  /** The bytes of a file as Base64. */
  async data({ id, size }: KeptFile): Promise<string> {
    const pieces: string[] = []
    for (let i = 0; i < pieceCount(size); i++)
      pieces.push((await this.#values.get(piecesSpace, pieceKey(id, i))) as string)
    return pieces.join('')
  }
  /** The bytes of a file of one conversation as Base64; `undefined` for another conversation's file as for none. */
  async dataIn(conversation: string, id: string): Promise<string | undefined> {
    const file = await this.find(id)
    return file?.conversation === conversation ? this.data(file) : undefined
  }
  /** Deletes the files of a conversation that is deleted. */
  eraseOf(conversation: string): Promise<void> {
    return this.#eraseWhere(file => file.conversation === conversation)
  }
  /** Deletes files that were uploaded before a moment, and that no conversation uses. */
  eraseUnused(before: number): Promise<void> {
    return this.#eraseWhere(file => file.conversation === undefined && file.createdAt < before)
  }
  async #eraseWhere(isGone: (file: KeptFile) => boolean): Promise<void> {
    for (const [, entry] of await this.#values.entries(filesSpace)) {
      const file = entry as KeptFile
      if (isGone(file)) await this.#erase(file)
    }
  }
  async #erase({ id, size }: KeptFile): Promise<void> {
    await this.#values.set(filesSpace, id, undefined)
    for (let i = 0; i < pieceCount(size); i++) await this.#values.set(piecesSpace, pieceKey(id, i), undefined)
  }
}

const pieceKey = (id: string, index: number): string => `${id} ${index}`
const pieceCount = (size: number): number => Math.ceil((Math.ceil(size / 3) * 4) / pieceLength)
