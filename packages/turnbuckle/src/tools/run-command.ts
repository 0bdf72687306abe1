import { type ChildProcess, spawn } from 'node:child_process'
import type { BackgroundCommands } from './background-commands.ts'
import { stripControls } from './control.ts'
import { endGroup, endWithProcess } from './end-with-process.ts'

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeout: number
  readonly maxOutput: number
  readonly signal: AbortSignal
  /** Told the end of the output so far, while the program runs; at most a few times a second. */
  readonly onOutput?: (tail: string) => void
  /** Where it may be sent while it runs, and the line that names it there. */
  readonly background?: { readonly commands: BackgroundCommands; readonly line: string }
  /** Told when a command that was sent to the background has ended. */
  readonly onLateEnd?: () => void
}

/** Milliseconds between two reports of output, and the characters of one. */
const reportMs = 250
const reportLength = 2000

export interface Ended {
  readonly output: string
  /** The exit code, or the signal that ended it. */
  readonly code: number | string
  readonly timedOut: boolean
  /** Set where the program that runs the commands has ended them all. */
  readonly endedBecause?: string
  /** Set where it was sent to the background: its number there. */
  readonly background?: string
}

/** Commands that run now. */
const running = new Set<ChildProcess>()
let closedBecause: string | undefined

/**
 * Ends every command that runs, for a program whose terminal is gone. Their calls get results that say why. No command
 * begins after that: the call waits for the end of the process.
 */
export function endCommands(reason: string): void {
  closedBecause = reason
  for (const child of running) endGroup(child)
}

/**
 * Runs a program in a process group of its own. The whole group is ended when the time is up, on abort, and when the
 * program itself ends: nothing stays behind, and nothing that holds the pipe open delays the result.
 */
export function runCommand(command: Command): Promise<Ended> {
  const { program, args, cwd, env, maxOutput, signal } = command
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    if (closedBecause !== undefined) return
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const hasEnded = endWithProcess(child)
    running.add(child)
    const output = new Capped(maxOutput)
    let isLeft = false
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output.add(text)
        if (!isLeft) reports.soon()
      })
    const reports = reportsOf(output, command.onOutput)
    let timedOut = false
    const unlimited = limitCommand(child, command, () => {
      timedOut = true
    })
    const leave = (id: string) => {
      isLeft = true
      unlimited()
      reports.stop()
      resolve({ output: stripControls(output.text), code: 0, timedOut: false, background: id })
    }
    const hasLeft = awaitCommand(command, { child, output, leave })
    const done = (code: number | string) => {
      running.delete(child)
      hasEnded()
      unlimited()
      reports.stop()
      hasLeft?.(code)
      if (isLeft) command.onLateEnd?.()
    }
    child.on('error', error => {
      done(error.message)
      reject(error)
    })
    child.on('exit', () => endGroup(child))
    child.on('close', (code, by) => {
      const end = code ?? by ?? 'unknown'
      done(end)
      if (signal.aborted) reject(signal.reason)
      else resolve(withReason({ output: stripControls(output.text), code: end, timedOut }))
    })
  })
}

const withReason = (ended: Ended): Ended =>
  closedBecause === undefined ? ended : { ...ended, endedBecause: closedBecause }

/** Ends a command when its time is up, or on abort. Gives how to leave it alone. */
function limitCommand(child: ChildProcess, { timeout, signal }: Command, onTimeout: () => void): () => void {
  const timer = setTimeout(() => {
    onTimeout()
    endGroup(child)
  }, timeout)
  const onAbort = () => endGroup(child)
  signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

interface Awaited {
  readonly child: ChildProcess
  readonly output: Capped
  leave(id: string): void
}

/** Lets a command be sent to the background, where it may. */
const awaitCommand = ({ background }: Command, { child, output, leave }: Awaited) =>
  background?.commands.wait({
    command: background.line,
    output: () => stripControls(output.text),
    end: () => endGroup(child),
    leave,
  })

/** Reports the end of the output while it grows, at most once in `reportMs`. */
function reportsOf(output: Capped, tell: Command['onOutput']): { soon(): void; stop(): void } {
  let reporting: NodeJS.Timeout | undefined
  return {
    soon() {
      if (!tell) return
      reporting ??= setTimeout(() => {
        reporting = undefined
        tell(stripControls(output.tail(reportLength)))
      }, reportMs)
    },
    stop: () => clearTimeout(reporting),
  }
}

/** Keeps the beginning and the end of a long text, in bounded memory. */
class Capped {
  readonly #half: number
  #head = ''
  #tail = ''
  #length = 0

  constructor(max: number) {
    this.#half = Math.ceil(max / 2)
  }

  add(text: string): void {
    this.#length += text.length
    const room = this.#half - this.#head.length
    this.#head += text.slice(0, Math.max(0, room))
    this.#tail += text.slice(Math.max(0, room))
    if (this.#tail.length > 4 * this.#half) this.#tail = this.#tail.slice(-this.#half)
  }

  /** The last characters. */
  tail(length: number): string {
    return (this.#head + this.#tail).slice(-length)
  }

  get text(): string {
    const lost = this.#length - 2 * this.#half
    if (lost <= 0) return this.#head + this.#tail
    return `${this.#head}\n[${lost} characters left out]\n${this.#tail.slice(-this.#half)}`
  }
}
