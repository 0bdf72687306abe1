import { type ChildProcess, spawn } from 'node:child_process'
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client'
import { endGroup, endWithProcess } from '../tools/end-with-process.ts'
import { FittingLines } from './fitting-lines.ts'
import { within } from './within.ts'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** The SDK's functions that write and read messages. */
interface Framing {
  readonly ReadBuffer: new () => ReadBuffer
  serializeMessage(message: JSONRPCMessage): string
}

/** Milliseconds that a server has to end by itself. */
const patience = 2000

/**
 * A server that is started, in a process group of its own. What it has started goes with it: `npx` and its like only
 * begin the real server, which the SDK's transport would leave behind when it hangs.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The end of what it has complained about. */
  complaint = ''
  readonly #program: Program
  readonly #framing: Framing
  #child: ChildProcess | undefined
  #heard = false
  #gone: Promise<void> | undefined

  constructor(program: Program, framing: Framing) {
    this.#program = program
    this.#framing = framing
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#program
    const child = spawn(command, args, { env, detached: true, stdio: 'pipe', ...(cwd === undefined ? {} : { cwd }) })
    this.#child = child
    const hasEnded = endWithProcess(child)
    const tell = (error: Error) => this.onerror?.(error)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', tell)
    this.#read(child)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaint = (this.complaint + text).slice(-500)
    })
    child.on('exit', () => endGroup(child))
    return new Promise((resolve, reject) => {
      this.#gone = new Promise(gone => {
        child.on('close', () => {
          hasEnded()
          gone()
          this.onclose?.()
        })
        child.on('error', error => {
          hasEnded()
          gone()
          reject(error)
          tell(error)
        })
      })
      child.on('spawn', resolve)
    })
  }

  #read(child: ChildProcess): void {
    const buffer = new this.#framing.ReadBuffer()
    const lines = new FittingLines()
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of lines.take(chunk))
        try {
          buffer.append(line)
          const message = buffer.readMessage()
          this.#heard ||= message !== null
          if (message !== null) this.onmessage?.(message)
        } catch (error) {
          this.onerror?.(error as Error)
        }
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable) return Promise.reject(new Error('The server is gone.'))
    return new Promise(resolve => {
      if (stdin.write(this.#framing.serializeMessage(message))) resolve()
      else stdin.once('drain', resolve)
    })
  }

  async close(): Promise<void> {
    const child = this.#child
    const gone = this.#gone
    this.#child = undefined
    if (!child || !gone) return
    child.stdin?.end()
    // One that has never said anything hangs, and has nothing to finish.
    for (const signal of this.#heard ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const)) {
      if (this.#heard) await within(gone, patience)
      if (child.exitCode === null && child.signalCode === null) endGroup(child, signal)
    }
    await within(gone, patience)
  }
}
