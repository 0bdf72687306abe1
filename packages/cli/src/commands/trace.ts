import type { Run } from '../command-table.ts'
import { readTrace } from '../compose/keep-traces.ts'
import { drawTrace } from '../draw-trace.ts'
import { Mistake } from '../mistake.ts'
import { print } from '../terminal-text.ts'
import { findTurn, withStore } from './with-store.ts'

export const run: Run = async ({ positionals: [id = ''], values }) =>
  withStore(async store => {
    const turn = await findTurn(store, id)
    const spans = await readTrace(store, turn.id)
    if (!spans.length) throw new Mistake(`No trace of ${turn.id}: it is kept for 30 days, of turns that have ended.`, 1)
    const said = (await store.nodes(turn.conversation)).map(({ message }) => message)
    const drawn = () => drawTrace(spans, process.stdout.columns, said)
    for (const line of values.json ? spans.map(span => JSON.stringify(span)) : drawn()) print(line)
    return 0
  })
