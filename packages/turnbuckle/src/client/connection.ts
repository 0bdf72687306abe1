/** The part of a WebSocket that is used, as browsers and Node have it. */
export interface SocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}
/** A WebSocket class: the platform's own, or that of `ws`. */
export type SocketConstructor = new (url: string, protocols: string[]) => SocketLike

/** `refused`: the token is not, or no longer, valid. */
export type ConnectionStatus = 'connecting' | 'open' | 'offline' | 'refused'

export interface ConnectionOptions {
  readonly url: string
  readonly token: string
  readonly WebSocket: SocketConstructor
  /** Tells whether the server still takes the token. Asked when the socket does not open. */
  readonly check: () => Promise<boolean>
  readonly onFrame: (frame: Record<string, unknown>) => void
  /** Called each time the socket opens: what is followed is asked for again. */
  readonly onOpen: () => void
}

const open = 1
const slowest = 5000

/** A socket that comes back by itself, slower each time, until it is closed or refused. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #listeners = new Set<(status: ConnectionStatus) => void>()
  #socket: SocketLike | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #tries = 0
  #closed = false
  status: ConnectionStatus = 'connecting'

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  onStatus(listener: (status: ConnectionStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  #become(status: ConnectionStatus): void {
    if (this.status === status) return
    this.status = status
    for (const listener of this.#listeners) listener(status)
  }

  /** Connects now, also in the middle of a wait. */
  connect(): void {
    if (this.#closed || this.#socket) return
    clearTimeout(this.#timer)
    const { url, token, WebSocket } = this.#options
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/socket`, [`turnbuckle.${token}`])
    this.#socket = socket
    socket.onopen = () => {
      this.#tries = 0
      this.#become('open')
      this.#options.onOpen()
    }
    socket.onmessage = (event: { readonly data: unknown }) => {
      if (typeof event.data === 'string') this.#options.onFrame(JSON.parse(event.data))
    }
    socket.onerror = () => {}
    socket.onclose = () => void this.#lost()
  }

  async #lost(): Promise<void> {
    this.#socket = undefined
    if (this.#closed) return
    this.#become('offline')
    const good = await this.#options.check().catch(() => true)
    if (this.#closed) return
    if (!good) return this.#become('refused')
    const wait = Math.min(slowest, 200 * 2 ** this.#tries++)
    this.#timer = setTimeout(() => this.connect(), wait)
  }

  /** False when nobody is there to hear it: it will be said again by whoever cares. */
  send(frame: object): boolean {
    if (this.#socket?.readyState !== open) return false
    this.#socket.send(JSON.stringify(frame))
    return true
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#become('offline')
  }
}
