import type { ChatSession } from '../session/chat-session.ts'
import { runSlashCommand } from '../slash/run-slash-command.ts'
import { appendNote } from './append-note.ts'
import { runOwnCommand } from './run-own-command.ts'

/** Carries out a line: `/command`, `!shell command`, `#note`, or something to say. `later`: after the running turn. */
export function submitInput(session: ChatSession, text: string, later: boolean): void {
  if (/^\/[a-z][\w:-]*(\s|$)/i.test(text)) void runSlashCommand(session, text)
  else if (text.startsWith('!') && text.length > 1) void runOwnCommand(session, text.slice(1).trim())
  else if (/^#(?!#)\s*\S/.test(text) && !text.includes('\n')) appendNote(session, text.replace(/^#\s*/, ''))
  else if (later) session.queue(text)
  else session.send(text)
}
