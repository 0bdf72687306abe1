import type { Message } from '../core/base/message.ts'
import type { Turn } from '../core/types/turn.ts'
import type { ClaudeEvent } from './claude-events.ts'
import type { HookScene } from './hook-runner.ts'
import { TranscriptFile } from './transcript-file.ts'

/** One conversation as Claude's hooks see it: a session, its transcript, and what background hooks have said. */
export class HookSession {
  readonly id: string
  readonly #root: string
  readonly #transcript: TranscriptFile
  #path = ''
  #hasBegun = false
  #late: string[] = []
  /** Skills and commands that were invoked in it, and handlers for one run that have had it: as its last turn had them. */
  scene: Pick<HookScene, 'active' | 'spent'> = { active: [], spent: [] }
  /** Commands that are said with the next turn. */
  #said: string[] = []

  constructor(id: string, root: string) {
    this.id = id
    this.#root = root
    this.#transcript = new TranscriptFile(id, root)
  }

  /** The members that every event has. `messages`: the path as it is, where it is known. */
  fields(event: ClaudeEvent, mode: string, turn?: Turn, messages?: readonly Message[]): Record<string, unknown> {
    if (messages || !this.#path) this.#path = this.#transcript.write(messages ?? [])
    return {
      session_id: this.id,
      ...(turn ? { prompt_id: topmost(turn).id } : {}),
      transcript_path: this.#path,
      cwd: this.#root,
      permission_mode: mode,
      hook_event_name: event,
    }
  }

  /** True the first time. */
  begin(): boolean {
    const isFirst = !this.#hasBegun
    this.#hasBegun = true
    return isFirst
  }

  addCommand(name: string): void {
    this.#said.push(`command ${name}`)
  }

  /** The commands that are said with this turn, once. */
  takeCommands(): readonly string[] {
    const names = this.#said
    this.#said = []
    return names
  }

  addLate(texts: readonly string[]): void {
    this.#late.push(...texts)
  }

  /** The texts that have come in, once. */
  takeLate(): readonly string[] {
    const texts = this.#late
    this.#late = []
    return texts
  }
}

/** The turn of the person, above all sub-agents. */
export function topmost(turn: Turn): Turn {
  let top = turn
  while (top.parent) top = top.parent
  return top
}
