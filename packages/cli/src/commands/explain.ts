import type { Run } from '../command-table.ts'
import { decisionLines } from '../decision-lines.ts'
import { print } from '../terminal-text.ts'
import { findTurn, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const turn = await findTurn(store, id)
    const decisions = await store.decisions(turn.conversation, turn.id)
    print(`${turn.id} of ${turn.conversation}: ${turn.status}`)
    for (const line of decisionLines(decisions)) print(line)
    return 0
  })
