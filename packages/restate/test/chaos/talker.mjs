// A person with one conversation: sends turns, follows their events from whichever server is there, answers, interjects, forks.
import { eventsOf } from './events-of.mjs'
import { token } from './run-cluster.mjs'
import { readWitnesses } from './witnesses.mjs'

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
const programs = [
  'say',
  'mark say',
  'mark mark say',
  'ask say',
  'mark ask say',
  'late say',
  'help say',
  'helpers say',
  'help-ask say',
  'help-help say',
  'help-help-ask say',
]
/** Answers that will not change however often one asks. */
const settled = [200, 201, 202, 204, 403, 404, 410, 422]

export class Talker {
  /** Number, type and turn of everything the person has heard: a long run has no room for more. */
  heard = new Map()
  problems = []
  /** Turns that a server has acknowledged: `{ turnId, name, sentAt, endedAt }`. */
  turns = []
  reconnects = 0
  /** The last answer of a server that was no decision. */
  lastRefusal
  #url
  #witnesses
  #random
  #changeEvery
  #isOver = false
  #waiting = new Set()
  #answered = new Set()
  #answering = []
  #messages = []
  #end = () => {}

  /** `changeEvery`: the milliseconds, at least and at most, after which the person goes to the next server. */
  constructor({ url, witnesses, random, name, changeEvery }) {
    this.#url = url
    this.#witnesses = witnesses
    this.#random = random
    this.#changeEvery = changeEvery
    this.name = name
  }

  async begin() {
    const { id } = await this.#call('POST', '/api/conversations', {}, `conversation-${this.name}`)
    this.id = id
    this.following = this.#follow()
  }
  async end() {
    this.#isOver = true
    this.#end()
    await this.following
  }

  /** Works a turn to its end, as a person would: what a server refuses because of a fault is tried again. */
  async talk(number) {
    const name = `${this.name}x${number}`
    const text = `do ${name} ${this.#random.pick(programs)}`
    const fork = this.#random.chance(0.1) ? this.#random.pick(this.#messages) : undefined
    const interjects = this.#random.chance(0.1)
    const sentAt = Date.now()
    const body = { text, ...(fork === undefined ? {} : { parentId: fork }) }
    const { turnId, error } = await this.#call('POST', `/api/conversations/${this.id}/turns`, body, name)
    if (!turnId) return this.problems.push(`${name}: refused with ${JSON.stringify(error)}`)
    const turn = { turnId, name, sentAt }
    this.turns.push(turn)
    if (interjects) void this.#interject(turnId)
    await this.#untilEnd(turnId)
    turn.endedAt = Date.now()
  }
  async #interject(turnId) {
    const response = await this.#fetch('POST', `/api/turns/${turnId}/interject`, { text: 'and quickly' }).catch(
      () => undefined,
    )
    await response?.text().catch(() => {})
  }
  #untilEnd(turnId) {
    if (this.#ends.has(turnId)) return Promise.resolve()
    return new Promise(resolve => this.#waiting.add({ turnId, resolve }))
  }
  #ends = new Set()

  /** Repeats a call until a server has decided about it. The key makes it one. */
  async #call(method, path, body, key) {
    for (;;) {
      try {
        const response = await this.#fetch(method, path, body, key)
        const text = await response.text()
        if (settled.includes(response.status)) return JSON.parse(text || '{}')
        const { error } = JSON.parse(text)
        this.lastRefusal = `${method} ${path} ${response.status} ${JSON.stringify(error)}`
        // Answered before, by a call of ours whose answer was lost.
        if (error?.code === 'request.answered') return {}
      } catch {}
      if (this.#isOver) return { error: 'over' }
      await sleep(this.#random.between(50, 250))
    }
  }
  #fetch(method, path, body, key) {
    return fetch(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    })
  }

  /** Follows the events; after a lost connection, and now and then without one, goes on at the next server with `after`. */
  async #follow() {
    let after = 0
    while (!this.#isOver) {
      const abort = new AbortController()
      this.#end = () => abort.abort()
      const change = setTimeout(() => abort.abort(), this.#random.between(...this.#changeEvery))
      try {
        for await (const event of eventsOf(this.#url, this.id, after, abort.signal)) {
          if (event.seq === undefined) continue
          if (event.seq !== after + 1) this.problems.push(`${this.id}: heard ${event.seq} after ${after}`)
          after = event.seq
          this.#hear(event)
        }
      } catch {}
      clearTimeout(change)
      this.reconnects++
      if (!this.#isOver) await sleep(50)
    }
  }
  #hear(event) {
    this.heard.set(event.seq, { seq: event.seq, type: event.type, turnId: event.turnId })
    if (event.type === 'message.added' && event.message?.role === 'assistant' && !hasCall(event.message))
      this.#messages.push(event.messageId)
    if (event.type === 'request.opened') this.#answering.push(this.#answer(event))
    if (!('outcome' in event) || !/^turn\./.test(event.type)) return
    this.#ends.add(event.turnId)
    for (const waiter of this.#waiting)
      if (waiter.turnId === event.turnId) {
        this.#waiting.delete(waiter)
        waiter.resolve()
      }
  }
  async #answer({ requestId, kind, payload }) {
    if (this.#answered.has(requestId) || (kind === 'permission' && payload.name === 'late')) return
    this.#answered.add(requestId)
    // Some answer at once, others when the turn is parked.
    await sleep(this.#random.pick([0, 0, 1000, 2000]))
    const answer = kind === 'outcome' ? { outcome: this.#looked(payload) } : { decision: 'allow' }
    const path = `/api/requests/${encodeURIComponent(requestId)}/answer`
    const { error } = await this.#call('POST', path, answer)
    if (error && error !== 'over' && error.code !== 'request.expired')
      this.problems.push(`${requestId}: the answer was refused with ${JSON.stringify(error)}`)
  }
  /** A person who is asked whether a call happened looks. */
  #looked({ args }) {
    return readWitnesses(this.#witnesses).some(({ ran }) => ran === args?.name) ? 'happened' : 'not'
  }
}

const hasCall = ({ content }) => content.some(({ type }) => type === 'call')
