import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: what a test expects of it, it says itself
type Frame = any

/** A plain WebSocket that remembers what it got and waits for what will come. */
export class SocketClient {
  frames: Frame[] = []
  readonly socket: WebSocket
  readonly closed: Promise<number>
  #waiting: { test(frame: Frame): boolean; resolve(frame: Frame): void }[] = []
  #ids = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise(resolve => socket.on('close', code => resolve(code)))
    socket.on('message', data => {
      const frame = JSON.parse(data.toString())
      this.frames.push(frame)
      this.#waiting = this.#waiting.filter(({ test, resolve }) => {
        if (!test(frame)) return true
        resolve(frame)
        return false
      })
    })
  }

  static async open(url: string, token: string, headers: Record<string, string> = {}): Promise<SocketClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/socket`, [`turnbuckle.${token}`], { headers })
    const client = new SocketClient(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return client
  }

  /** Resolves at once when it has come already. */
  until(test: (frame: Frame) => boolean): Promise<Frame> {
    const known = this.frames.find(test)
    if (known) return Promise.resolve(known)
    return new Promise(resolve => this.#waiting.push({ test, resolve }))
  }
  async ask(frame: object): Promise<Frame> {
    const id = ++this.#ids
    this.socket.send(JSON.stringify({ ...frame, id }))
    return this.until(reply => reply.type === 'reply' && reply.id === id)
  }
  /** The log's events so far. */
  get events(): Frame[] {
    return this.frames.filter(({ seq, type }) => seq !== undefined && type !== 'reply' && type !== 'resync')
  }
  /** Keeps the numbers of the log's events alone: long tests need the room. */
  forgetBodies(): void {
    this.frames = this.events.map(({ seq }) => ({ seq }))
  }
  close(): void {
    this.socket.close()
  }
}

/** This event ends a turn. */
export const isOver = ({ type }: { readonly type: string }): boolean =>
  /^turn\.(completed|stopped|failed|interrupted)$/.test(type)
