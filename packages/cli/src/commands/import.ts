import { readFile } from 'node:fs/promises'
import { importConversation } from 'turnbuckle/stores'
import type { Run } from '../command-table.ts'
import { Mistake } from '../mistake.ts'
import { print } from '../terminal-text.ts'
import { withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [file = ''] }) => {
  const json = await readFile(file, 'utf8').catch(error => {
    throw new Mistake(`"${file}" cannot be read: ${(error as Error).message}`)
  })
  return withStore(async store => {
    print(`Imported as ${await importConversation(store, json)}.`)
    return 0
  })
}
