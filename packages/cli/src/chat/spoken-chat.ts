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
import { ready, spokenAnswer, spokenQuestion } from './spoken-lines.ts'
import { SpokenTeller } from './spoken-teller.ts'

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
  const teller = new SpokenTeller(session, printLine)
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
