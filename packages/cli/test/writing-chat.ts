import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import type { ChatSession } from '../src/chat/session/chat-session.ts'
import { FileVersions } from '../src/compose/file-versions.ts'
import { chatSession } from './chat-session.ts'

type Call = { readonly name: string; readonly args: object }

export const write = (path: string, content: string): Call => ({ name: 'write_file', args: { path, content } })
export const shell = (command: string): Call => ({ name: 'shell', args: { command } })

/** A chat in a folder of its own, gone with it, whose turns have made calls. */
export class WritingChat {
  readonly root: string = mkdtempSync(join(tmpdir(), 'turnbuckle-writing-'))
  readonly session: ChatSession
  readonly #turns: readonly (readonly [said: string, ...calls: readonly Call[]])[]

  /** Each turn: what the person says, and the calls that the model then makes. */
  constructor(...turns: readonly (readonly [said: string, ...calls: readonly Call[]])[]) {
    this.#turns = turns
    const store = memoryStore()
    const fileVersions = new FileVersions(store, this.root)
    const replies = turns.flatMap(([, ...calls]) => [...calls.map(call => ({ calls: [call] })), 'Done.'])
    const model = scriptedModel([...replies, 'Said.', 'Said.'])
    const tools = workspaceTools({ root: this.root, shell: true })
    this.session = chatSession({ model, store, tools, use: [fileVersions.use] }, { store, fileVersions }).session
  }
  /** Has every turn. */
  async run(): Promise<ChatSession> {
    for (const [said] of this.#turns) await this.say(said)
    return this.session
  }
  async say(text: string): Promise<void> {
    this.session.send(text)
    await this.session.idle()
  }
  /** The content of a file; undefined where there is none. */
  read(name: string): string | undefined {
    try {
      return readFileSync(join(this.root, name), 'utf8')
    } catch {
      return undefined
    }
  }
  put(name: string, text: string): void {
    writeFileSync(join(this.root, name), text)
  }
  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
