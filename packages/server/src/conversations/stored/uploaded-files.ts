import { randomBytes } from 'node:crypto'
import { TurnbuckleError } from 'turnbuckle'
import type { Attachment, InlineFile, UploadedFile } from 'turnbuckle/client'
import {
  type ConversationStore,
  type KeptFile,
  KeptFiles,
  keptFileAddress,
  memoryStore,
  wholeMessages,
} from 'turnbuckle/stores'

/** Milliseconds for which an uploaded file waits for a message that uses it. */
const unusedMs = 24 * 60 * 60 * 1000
const lookMs = 60 * 60 * 1000

interface NewFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string | undefined
}

/**
 * The files that people have uploaded. With a store they are kept beside the logs, and a message has their address; without
 * one they wait in memory, and a message gets their bytes.
 */
export class UploadedFiles {
  readonly #files: KeptFiles
  readonly #hasStore: boolean
  #sweeping: NodeJS.Timeout | undefined

  constructor(store: ConversationStore | undefined) {
    this.#files = new KeptFiles(store ?? memoryStore())
    this.#hasStore = store !== undefined
  }

  async upload(by: string, { bytes, mediaType, name }: NewFile): Promise<UploadedFile> {
    if (!bytes.length) throw new TurnbuckleError('body.invalid', 'The file is empty.')
    const id = `file_${randomBytes(18).toString('base64url')}`
    const file = { id, by, mediaType, size: bytes.length, createdAt: Date.now(), ...(name ? { name } : {}) }
    await this.#files.put(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'))
    return { id }
  }
  /** A file by its id; throws `file.missing` where there is none. */
  async find(id: string): Promise<KeptFile> {
    const file = await this.#files.find(id)
    if (file) return file
    throw missing(id)
  }
  async bytes(file: KeptFile): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(Buffer.from(await this.#files.data(file), 'base64'))
  }

  /** The files of a new message. Uploaded ones become the conversation's before the turn begins, and are deleted with it. */
  attach(person: string, conversationId: string, attachments: readonly Attachment[]): Promise<readonly InlineFile[]> {
    return Promise.all(
      attachments.map(one => ('id' in one ? this.#attachUploaded(person, conversationId, one.id) : one)),
    )
  }
  /** Before a conversation has the file only its uploader may use it; then whoever talks in that conversation, to send it again. */
  async #attachUploaded(person: string, conversationId: string, id: string): Promise<InlineFile> {
    const file = await this.find(id)
    const isUsable = file.conversation === undefined ? file.by === person : file.conversation === conversationId
    if (!isUsable) throw missing(id)
    const { mediaType, name } = file
    const named = { mediaType, ...(name === undefined ? {} : { name }) }
    if (!this.#hasStore) return { ...named, data: await this.#files.data(file) }
    if (file.conversation === undefined) await this.#files.claim(file, conversationId)
    return { ...named, data: keptFileAddress(id) }
  }
  /** Keeps bytes, given as Base64, for a conversation that is being imported; gives their address. */
  async keepFor(conversationId: string, by: string, { mediaType, data, name }: InlineFile): Promise<string> {
    const id = `file_${randomBytes(18).toString('base64url')}`
    const size = Buffer.byteLength(data, 'base64')
    const file = { id, by, mediaType, size, createdAt: Date.now(), conversation: conversationId }
    await this.#files.put({ ...file, ...(name === undefined ? {} : { name }) }, data)
    return keptFileAddress(id)
  }

  /** Messages of a conversation with the bytes of their files, for a copy that stands alone. */
  whole(conversationId: string, messages: Parameters<typeof wholeMessages>[0]): ReturnType<typeof wholeMessages> {
    return wholeMessages(messages, id => this.#files.dataIn(conversationId, id))
  }
  /** Deletes the files of a conversation that is deleted. */
  eraseOf(conversationId: string): Promise<void> {
    return this.#files.eraseOf(conversationId)
  }

  /** Deletes unused files of yesterday, now and every hour. */
  beginSweeping(): void {
    // A store that fails now is asked again in an hour.
    const sweep = () => void this.#files.eraseUnused(Date.now() - unusedMs).catch(() => {})
    sweep()
    this.#sweeping = setInterval(sweep, lookMs).unref()
  }
  endSweeping(): void {
    clearInterval(this.#sweeping)
  }
}

const missing = (id: string): TurnbuckleError =>
  new TurnbuckleError('file.missing', `There is no file "${id.slice(0, 300)}" here. Upload it again.`)
