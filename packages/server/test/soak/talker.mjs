import { WebSocket } from 'ws'

/** Turns after which a talker goes on in a new conversation: the server lets go of the old one. */
const TURNS = 4
/** Milliseconds that a stalled socket reads nothing. */
const STALL_MS = 60_000

/** Someone with one socket and one conversation at a time, who sees every event once and in order, or says so. */
export class Talker {
  #url
  #report
  #breaks
  #socket
  #conversation
  #seq = 0
  #ids = 0
  #waiting = new Map()
  #ended
  #closed = false

  /** `breaks`: loses its socket in the middle of a turn, and comes back with `after`. `report` is told of each fault. */
  constructor(url, { breaks, report }) {
    this.#url = url
    this.#breaks = breaks
    this.#report = report
  }
  /** True from now on for a talker that loses its socket. */
  setBreaks(breaks) {
    this.#breaks = breaks
  }
  get conversation() {
    return this.#conversation
  }

  async begin() {
    const headers = { authorization: 'Bearer secret' }
    const response = await fetch(`${this.#url}/api/conversations`, { method: 'POST', headers, body: '{}' })
    if (this.#conversation) await this.#ask({ type: 'unsubscribe', conversationId: this.#conversation })
    this.#conversation = (await response.json()).id
    this.#seq = 0
    if (this.#socket) await this.#subscribe()
    else await this.#join()
  }
  async #join() {
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/api/socket`, ['turnbuckle.secret'])
    this.#socket = socket
    socket.on('message', data => this.#hear(JSON.parse(data.toString())))
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.on('error', () => {})
    socket.on('close', code => {
      if (!this.#closed && socket === this.#socket) this.#report(`A socket that reads was closed with ${code}.`)
    })
    await this.#subscribe()
  }
  #subscribe() {
    return this.#ask({ type: 'subscribe', conversationId: this.#conversation, after: this.#seq })
  }
  #ask(frame) {
    const id = ++this.#ids
    this.#socket.send(JSON.stringify({ ...frame, id }))
    return new Promise(resolve => this.#waiting.set(id, resolve))
  }
  #hear(frame) {
    if (frame.type === 'reply') {
      if (!frame.ok) this.#report(`${frame.error?.code}: ${frame.error?.message}`)
      this.#waiting.get(frame.id)?.(frame)
      this.#waiting.delete(frame.id)
      return
    }
    if (frame.conversationId !== this.#conversation || frame.seq === undefined) return
    if (frame.type === 'resync' || frame.seq !== this.#seq + 1)
      this.#report(`${frame.type} ${frame.seq} came after ${this.#seq}.`)
    this.#seq = frame.seq
    if (frame.type === 'turn.completed') this.#ended?.()
  }

  /** Milliseconds from sending to the end of the turn. */
  async turn() {
    const ended = new Promise(resolve => {
      this.#ended = resolve
    })
    const began = performance.now()
    await this.#ask({ type: 'send', conversationId: this.#conversation, text: 'go' })
    if (this.#breaks) await this.#comeBack()
    await ended
    return performance.now() - began
  }
  async #comeBack() {
    const old = this.#socket
    this.#socket = undefined
    old.terminate()
    await this.#join()
  }
  /** Talks until `isOver`, with pauses of `pauseMs` on average; `told` is given each turn's time. */
  async talk({ isOver, pauseMs, told }) {
    const pause = () => new Promise(resolve => setTimeout(resolve, pauseMs * 2 * Math.random()).unref())
    for (let i = 1; !isOver(); i++) {
      await pause()
      told(await this.turn())
      if (i % TURNS === 0) await this.begin()
    }
  }
  close() {
    this.#closed = true
    this.#socket?.terminate()
  }
}

/** Follows conversations and never reads; comes back whenever it was closed. */
export class Stalled {
  #closed = false
  #socket
  /** Sockets that this side has ended. */
  #givenUp = new WeakSet()
  cutOffs = 0

  constructor(url, conversations) {
    this.#join(url, conversations)
  }
  #join(url, conversations) {
    if (this.#closed) return
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/socket`, ['turnbuckle.secret'])
    this.#socket = socket
    socket.on('error', () => {})
    socket.once('open', () => {
      for (const conversationId of conversations()) socket.send(JSON.stringify({ type: 'subscribe', conversationId }))
      socket.pause()
      // A paused socket hears of its end when it reads again. One that was not cut off makes room for another that stalls.
      setTimeout(() => socket.resume(), STALL_MS).unref()
      setTimeout(() => this.#giveUp(socket), STALL_MS + 3000).unref()
    })
    socket.once('close', code => {
      if (!this.#givenUp.has(socket) && (code === 4008 || code === 1006)) this.cutOffs++
      setTimeout(() => this.#join(url, conversations), 1000).unref()
    })
  }
  #giveUp(socket) {
    if (socket.readyState === WebSocket.CLOSED) return
    this.#givenUp.add(socket)
    socket.terminate()
  }
  close() {
    this.#closed = true
    this.#givenUp.add(this.#socket)
    this.#socket.terminate()
  }
}
