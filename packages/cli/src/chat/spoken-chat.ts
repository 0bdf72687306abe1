import { createInterface } from 'node:readline'
import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { printLine } from '../text/print.ts'
import { useNoColours } from '../text/styled.ts'
import { endWithTerminal } from './end-with-terminal.ts'
import { followMcpServers } from './follow-mcp-servers.ts'
import { ChatSession } from './session/chat-session.ts'
import { noTerminal } from './session/chat-terminal.ts'
import { runSlashCommand } from './slash/run-slash-command.ts'
import { ready, spokenAnswer, spokenChange, spokenItem, spokenQuestion } from './spoken-lines.ts'
import type { ChatState } from './transcript/chat-state.ts'

/**
 * The chat for screen readers and terminals that cannot draw: a line is typed, everything is said in lines, and nothing
 * that was printed changes.
 */
export async function spokenChat(composed: ComposedAgent, conversation: Conversation): Promise<number> {
  useNoColours()
  const session = new ChatSession(composed, conversation)
  const lines = createInterface({ input: process.stdin, terminal: false })
  const left = new Promise<number>(resolve => {
    session.terminal = { ...noTerminal, leave: () => resolve(0) }
    lines.once('close', () => resolve(0))
    process.on('SIGINT', () => {
      if (session.turn && !session.turn.ended) session.interrupt('Ctrl-C')
      else resolve(130)
    })
  })
  endWithTerminal(session)
  await session.begin()
  const teller = new Teller(session)
  teller.tell()
  session.subscribe(() => teller.tell())
  followMcpServers(session)
  printLine(ready)
  lines.on('line', line => hear(session, line))
  const code = await left
  if (session.turn && !session.turn.ended) {
    session.interrupt('the person left')
    await session.turn.settled
  }
  lines.close()
  return code
}

function hear(session: ChatSession, line: string): void {
  const [question] = session.state.questions
  const text = line.trim()
  const answer = question && spokenAnswer(question, text)
  if (question && answer !== undefined) session.answer(question, answer)
  else if (question) printLine(spokenQuestion(question))
  else if (text.startsWith('/')) void runSlashCommand(session, text)
  else if (text) session.send(text)
}

/** Says what is new in the state of the chat, each thing once. */
class Teller {
  readonly #session: ChatSession
  #before: ChatState
  #count = 0
  #asked: string | undefined

  constructor(session: ChatSession) {
    this.#session = session
    this.#before = session.state
  }

  tell(): void {
    const { state } = this.#session
    const before = this.#before
    this.#before = state
    if (state.epoch !== before.epoch) this.#count = 0
    const recorded = !state.running
    for (const item of state.past.slice(this.#count)) this.#say(spokenItem(item, recorded))
    this.#count = state.past.length
    this.#say(spokenChange(before, state))
    this.#list(state)
    const [question] = state.questions
    if (question && question.id !== this.#asked) this.#say(spokenQuestion(question))
    this.#asked = question?.id
  }

  /** Lists that one would walk through on a screen are read out. */
  #list({ tree, picker }: ChatState): void {
    if (tree) for (const { text, isHead } of tree.lines) this.#say(`${text}${isHead ? ' (you are here)' : ''}`)
    if (picker) for (const { label, detail, id } of picker.items) this.#say(`${label} ${detail} (${id})`)
    if (tree || picker) this.#session.set({ tree: undefined, picker: undefined })
  }

  #say(text: string): void {
    if (text) printLine(text)
  }
}
