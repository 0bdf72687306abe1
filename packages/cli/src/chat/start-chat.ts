import type { Conversation } from 'turnbuckle'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { watchHooks } from '../compose/hooks/watch-hooks.ts'
import { printLine } from '../text/print.ts'
import { followBackground } from './background-commands.ts'
import { InputHistory } from './editor/input-history.ts'
import { endWithTerminal } from './end-with-terminal.ts'
import { followMcpServers } from './follow-mcp-servers.ts'
import { HeldTerminal } from './held-terminal.ts'
import { hookNews } from './hook-news.ts'
import { KeyReader } from './input/key-reader.ts'
import { Keyboard } from './input/keyboard.ts'
import { loadMarkdown } from './markdown/render-markdown.ts'
import { DrawnChat } from './screen/drawn-chat.ts'
import { ChatSession } from './session/chat-session.ts'

/** The chat on a terminal, until the person leaves. The terminal is restored whatever happens. */
export async function startChat(composed: ComposedAgent, conversation: Conversation): Promise<number> {
  // Notes for developers on stderr would be written across the screen, which shows failed hooks as events.
  process.env.NODE_ENV ??= 'production'
  const session = new ChatSession(composed, conversation)
  const keyboard = new Keyboard(session, new InputHistory(composed.loaded.home))
  if (composed.loaded.user.vim) keyboard.edit({ ...session.state.editor, vim: { mode: 'insert' } })
  const reader = new KeyReader(key => keyboard.press(key))
  const terminal = new HeldTerminal(session, chunk => reader.read(chunk))
  session.terminal = terminal
  const left = new Promise<number>(resolve => {
    terminal.leave = () => resolve(0)
    process.once('SIGTERM', () => resolve(143))
  })
  endWithTerminal(session)
  terminal.hold()
  await session.begin()
  // Recorded messages are printed once, so what draws them is waited for; an empty chat does not wait.
  if (conversation.head !== undefined) await loadMarkdown()
  followMcpServers(session)
  followBackground(session)
  const screen = new DrawnChat(session)
  terminal.drawn = screen
  const unwatch = watchHooks(composed, hookNews(session))
  const code = await left
  unwatch()
  await session.leave()
  screen.close()
  terminal.release()
  const { id, head } = session.conversation
  // The beginning of an id is enough, and fits a narrow terminal.
  if (head !== undefined) printLine(`\nGo on later: turnbuckle chat --conversation ${id.slice(0, 13)}`)
  return code
}
