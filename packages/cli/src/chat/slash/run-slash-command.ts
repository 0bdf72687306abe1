import { suggestNearest } from '../../errors/suggest-nearest.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { ownCommands } from './own-commands.ts'
import { sayOwnCommand } from './say-own-command.ts'
import type { SlashCommand } from './slash-command.ts'
import { slashTable } from './slash-table.ts'

/** Runs `/name rest`. Never throws: an error of the command becomes a notice. */
export async function runSlashCommand(session: ChatSession, line: string): Promise<void> {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const command = slashTable.find(known => known.name === name)
  const rest = words.join(' ')
  const own = command
    ? undefined
    : ownCommands(session.composed.loaded, session.composed.claudeCommands).find(known => known.name === name)
  if (own) return sayOwnCommand(session, own, line.trim().slice(name.length).trim())
  if (!command) {
    const names = slashTable.map(known => known.name)
    return session.say(`There is no ${name}. ${suggestNearest(name, names)}`, 'warn')
  }
  // A hint below the input: a notice would stand in the middle of a reply that is being written.
  if (isRefused(command, session, rest)) return session.set({ hint: session.isFollowing ? notElsewhere : notHere })
  try {
    await command.run(session, rest, slashTable)
  } catch (error) {
    session.say((error as Error).message, 'warn')
  }
}

const notHere = 'Not while it works: Esc Esc stops it.'
const notElsewhere = 'Not while another program works on this turn. /clear and /resume leave it.'

function isRefused({ refusedWhileRunning }: SlashCommand, session: ChatSession, rest: string): boolean {
  if (refusedWhileRunning === 'here') return session.isWorking
  const runs = session.isWorking || session.isFollowing
  return runs && (refusedWhileRunning === 'always' || (refusedWhileRunning === 'with an argument' && rest !== ''))
}
