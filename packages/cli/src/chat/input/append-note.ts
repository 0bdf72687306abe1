import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leadsOutside } from '../../settings/leads-outside.ts'
import type { ChatSession } from '../session/chat-session.ts'

/** Adds a note to the project's AGENTS.md, which every turn reads. */
export function appendNote(session: ChatSession, note: string): void {
  const { root } = session.composed.loaded
  const path = join(root, 'AGENTS.md')
  try {
    if (leadsOutside(root, 'AGENTS.md')) throw new Error('AGENTS.md is a link that leads out of the project.')
    const before = textOf(path)
    writeFileSync(path, `${before && !before.endsWith('\n') ? `${before}\n` : before}- ${note}\n`)
    session.say(`Noted in AGENTS.md: ${note}`)
  } catch (error) {
    session.say(`The note could not be written: ${(error as Error).message}`, 'warn')
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
