import type { CommandFunction } from '../command-table.ts'
import { findTurn } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { decisionLines } from '../text/decision-lines.ts'
import { printLine } from '../text/print.ts'

export const explainCommand: CommandFunction = async ({ positionals: [id = ''] }) =>
  withStore(async store => {
    const turn = await findTurn(store, id)
    const decisions = await store.decisions(turn.conversation, turn.id)
    printLine(`${turn.id} of ${turn.conversation}: ${turn.status}`)
    for (const line of decisionLines(decisions)) printLine(line)
    return 0
  })
