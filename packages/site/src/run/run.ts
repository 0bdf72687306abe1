import type { Agent, Conversation, Event, Turn } from 'turnbuckle'
import { locateError } from './locate-error.ts'
import { Pace } from './pace.ts'
import type { Files, Problem, Told, ToWorker } from './protocol.ts'
import { FileError, runFiles } from './run-files.ts'
import { visitorModules } from './visitor-modules.ts'
import { drawAgent, tellDecisions, watchAgent } from './watch-agent.ts'

/** A run of a visitor's files: an agent, a conversation, and its turns one after another. */
export class Run {
  readonly #tell: (told: Told) => void
  readonly #pace = new Pace()
  /** The places of what hooks have thrown, by message: an event has the message alone. */
  readonly #thrown = new Map<string, Problem>()
  #chat: Conversation | undefined
  #turn: Turn | undefined

  constructor(post: (told: Told) => void) {
    this.#tell = told => {
      this.#pace.count()
      post(told)
    }
  }

  /** Tells what the visitor's code has printed. */
  print(text: string): void {
    this.#tell({ kind: 'printed', text })
  }
  /** Tells of an error that no turn has caught. */
  report(error: unknown): void {
    this.#tell({ kind: 'problem', problem: locateError(error) })
  }

  /** Contract: never throws. A refusal of the agent's is told as a problem. */
  handle(request: Exclude<ToWorker, { type: 'ping' }>): void {
    try {
      this.#handle(request)
    } catch (error) {
      this.report(error)
    }
  }

  #handle(request: Exclude<ToWorker, { type: 'ping' }>): void {
    switch (request.type) {
      case 'start':
        void this.#start(request.files, request.message)
        return
      case 'send':
        if (this.#chat) void this.#sendAll(this.#chat, [request.text])
        return
      case 'interject':
        this.#turn?.interject(request.text)
        return
      case 'answer':
        this.#chat?.answer(request.requestId, request.answer)
        return
      case 'checkout':
        this.#chat?.checkout(request.messageId)
        return
      case 'interrupt':
        this.#turn?.interrupt('stopped by you')
        return
      case 'shown':
        this.#pace.show(request.count)
        return
      default:
        request satisfies never
    }
  }

  async #start(files: Files, said: string | undefined): Promise<void> {
    try {
      const modules = visitorModules(this.#pace, error => this.#noteThrown(error))
      const { default: agent, message = 'Hello' } = await runFiles(files, modules)
      checkAgent(agent)
      watchAgent(agent, this.#pace, this.#tell)
      this.#tell({ kind: 'agent', agent: drawAgent(agent) })
      this.#chat = agent.conversation()
      const { id: conversationId } = this.#chat
      this.#chat.subscribe({
        event: event => this.#tellEvent(event),
        delta: ({ reasoning, ...delta }) =>
          this.#tellEvent({
            type: 'message.delta',
            conversationId,
            at: Date.now(),
            ...delta,
            ...(reasoning && { reasoning }),
          }),
      })
      await this.#sendAll(this.#chat, [said ?? message].flat().map(String))
    } catch (error) {
      const problem = error instanceof FileError ? error.problem : locateError(error)
      this.#tell({ kind: 'problem', problem })
      this.#tell({ kind: 'ended', status: 'failed', more: false })
    }
  }

  async #sendAll(chat: Conversation, texts: readonly string[]): Promise<void> {
    for (const [i, text] of texts.entries()) {
      this.#turn = chat.send(text)
      const { status, error } = await this.#turn.settled
      if (error !== undefined) this.report(error)
      tellDecisions({ turn: this.#turn }, this.#tell)
      const more = status === 'completed' && i < texts.length - 1
      this.#tell({ kind: 'ended', status, more })
      if (!more) return
      await this.#pace.caughtUp()
    }
  }

  #tellEvent(event: Event): void {
    // Not all that a visitor's own events carry can leave the worker.
    this.#tell({ kind: 'event', event: JSON.parse(JSON.stringify(event)) as Event })
    if (event.type !== 'hook.failed') return
    const message = `${event.point} of "${event.name}" failed: ${event.error}`
    this.#tell({ kind: 'problem', problem: { ...this.#thrown.get(event.error), message } })
  }

  #noteThrown(error: unknown): void {
    const problem = locateError(error)
    this.#thrown.set(problem.message, problem)
  }
}

function checkAgent(given: unknown): asserts given is Agent {
  if (typeof given === 'object' && given !== null && 'conversation' in given && 'pipeline' in given) return
  throw new FileError({
    message: 'agent.ts has to export an agent: export default createAgent({ … })',
    file: 'agent.ts',
  })
}
