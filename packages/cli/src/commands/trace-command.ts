import type { CommandFunction } from '../command-table.ts'
import { readTrace } from '../compose/keep-traces.ts'
import { UserError } from '../errors/user-error.ts'
import { findTurn } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { drawTrace } from '../text/draw-trace.ts'
import { printJson, printLine } from '../text/print.ts'

export const traceCommand: CommandFunction = async ({ positionals: [id = ''], values }) =>
  withStore(async store => {
    const turn = await findTurn(store, id)
    const spans = await readTrace(store, turn.id)
    if (!spans.length)
      throw new UserError(`No trace of ${turn.id}: it is kept for 30 days, of turns that have ended.`, 1)
    const said = (await store.nodes(turn.conversation)).map(({ message }) => message)
    if (values.json) for (const span of spans) printJson(span)
    else for (const line of drawTrace(spans, process.stdout.columns, said)) printLine(line)
    return 0
  })
