import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { TurnbuckleError } from 'turnbuckle'
import { type ConversationStore, importConversation } from 'turnbuckle/stores'
import type { CommandFunction } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { withStore } from '../store/with-store.ts'
import { printLine } from '../text/print.ts'

export const importCommand: CommandFunction = async ({ positionals: [file = ''] }) => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      `"${file}" cannot be read: ${error.code === 'ENOENT' ? 'there is no such file.' : error.message}`,
    )
  })
  return withStore(async store => {
    printLine(`Imported as ${await importAny(store, text)}.`)
    return 0
  })
}

/** A conversation that is in the store already is imported as a copy, under a new id. */
async function importAny(store: ConversationStore, text: string): Promise<string> {
  try {
    return await importConversation(store, text)
  } catch (error) {
    if (!(error instanceof TurnbuckleError) || error.code !== 'conversation.exists') throw error
    const id = await importConversation(store, text, { id: `conv_${randomUUID().slice(0, 8)}` })
    return `${id}: ${(JSON.parse(text) as { id: string }).id} is here already`
  }
}
