import { createInterface, type Interface } from 'node:readline'
import type { Conversation } from 'turnbuckle'
import { keyRow } from 'turnbuckle/middleware'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { watchHooks } from '../compose/hooks/watch-hooks.ts'
import { printLine, ringBell } from '../text/print.ts'
import { useNoColours } from '../text/styled.ts'
import { followBackground } from './background-commands.ts'
import { endWithTerminal } from './end-with-terminal.ts'
import { followMcpServers } from './follow-mcp-servers.ts'
import { hookNews } from './hook-news.ts'
import { hearLine } from './input/hear-line.ts'
import { twiceMs } from './input/keyboard.ts'
import { QuestionGuard } from './input/question-guard.ts'
import { ChatSession } from './session/chat-session.ts'
import { noTerminal } from './session/chat-terminal.ts'
import { ready } from './spoken-lines.ts'
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
    session.terminal = { ...noTerminal, ring: ringBell, leave: () => resolve(0) }
    lines.once('close', () => resolve(0))
    process.on(
      'SIGINT',
      stopOrLeave(session, lines, () => resolve(0)),
    )
  })
  endWithTerminal(session)
  await session.begin()
  const teller = new SpokenTeller(session, printLine)
  teller.tell()
  const guard = new QuestionGuard(Date.now)
  guard.notice(session.state.questions[0]?.id)
  session.subscribe(() => {
    teller.tell()
    guard.notice(session.state.questions[0]?.id)
  })
  followMcpServers(session)
  followBackground(session)
  printLine(ready)
  lines.on('line', line => hearLine(session, guard, line, printLine))
  const unwatch = watchHooks(composed, hookNews(session))
  const code = await left
  unwatch()
  await session.leave()
  lines.close()
  return code
}

/** Ctrl-C stops what runs; with nothing running the second leaves, unless a line was typed between them. */
function stopOrLeave(session: ChatSession, lines: Interface, leave: () => void): () => void {
  const leftTwice = keyRow({ key: 'ctrl-c', within: twiceMs })
  lines.on('line', () => leftTwice({ key: 'enter' }, Date.now()))
  return () => {
    if (session.turn && !session.turn.ended) session.interrupt('Ctrl-C')
    else if (session.state.beside.length) session.endBeside()
    else if (leftTwice({ key: 'ctrl-c' }, Date.now())) leave()
    else printLine('Ctrl-C again leaves.')
  }
}
