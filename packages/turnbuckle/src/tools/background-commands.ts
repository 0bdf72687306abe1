/** A command of the tool `shell` that goes on beside turns. */
export interface BackgroundCommand {
  /** A number, from 1. */
  readonly id: string
  /** The shell line, as it was run. */
  readonly command: string
  /** The exit code, or the signal that ended it; undefined while it runs. */
  readonly code: number | string | undefined
  /** The beginning and the end of what it has written so far. */
  output(): string
  /** Ends it, and all that it has started. */
  end(): void
}

/** A command that a call waits for. */
export interface AwaitedCommand extends Pick<BackgroundCommand, 'command' | 'output' | 'end'> {
  /** Ends the waiting: the call gets a result that names the command, which goes on. */
  leave(id: string): void
}

/**
 * Commands that a person sends to the background while calls wait for them: the option `background` of the tool `shell`. There they have no time limit and
 * an interrupt does not end them; the end of the process does.
 */
export class BackgroundCommands {
  readonly #awaited = new Set<AwaitedCommand>()
  readonly #sent: (BackgroundCommand & { code: number | string | undefined })[] = []
  /** Told when a command in the background has ended. */
  onEnd: (command: BackgroundCommand) => void = () => {}

  /** All that were sent, also those that have ended. */
  get all(): readonly BackgroundCommand[] {
    return this.#sent
  }

  /** A call begins to wait for a command. Gives what is to be told when the command has ended. */
  wait(awaited: AwaitedCommand): (code: number | string) => void {
    this.#awaited.add(awaited)
    return code => {
      this.#awaited.delete(awaited)
      const sent = this.#sent.find(({ output }) => output === awaited.output)
      if (!sent) return
      sent.code = code
      this.onEnd(sent)
    }
  }

  /** Sends every command to the background that a call waits for, and gives them. */
  send(): readonly BackgroundCommand[] {
    return [...this.#awaited].map(awaited => {
      this.#awaited.delete(awaited)
      const { command, output, end } = awaited
      const sent = { id: String(this.#sent.length + 1), command, output, end, code: undefined }
      this.#sent.push(sent)
      awaited.leave(sent.id)
      return sent
    })
  }

  /** Ends all that run there: whatever they still write is not waited for. */
  close(): void {
    for (const { code, end } of this.#sent) if (code === undefined) end()
  }
}
