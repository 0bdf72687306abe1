import { resolve } from 'node:path'
import { replay } from 'turnbuckle/stores'
import type { Parsed, Run } from '../command-table.ts'
import { hookModule } from '../compose/hook-module.ts'
import { middlewareNames, namedMiddleware } from '../compose/named-middleware.ts'
import { Mistake } from '../mistake.ts'
import { bundle } from '../settings/bundle.ts'
import { oneLine, print } from '../terminal-text.ts'
import { findTurn, withStore } from './with-store.ts'

const exitCodes = { same: 0, different: 1, diverged: 3 } as const

/** 1 says that a decision differs: what cannot be replayed at all ends with 2. */
export const run: Run = args =>
  replayTurn(args).catch((error: Error) => {
    throw new Mistake(error.message)
  })

/** Modules are named by the person, here and now: that is their trust. */
async function replayTurn({ positionals: [id = '', ...more], values }: Parsed): Promise<number> {
  const named = (values.with ?? []) as unknown as readonly string[]
  if (!named.length) throw new Mistake('With which middleware? Usage: turnbuckle replay TURN --with MODULE…')
  const use = (await Promise.all([...named, ...more].map(load))).flat()
  return withStore(async store => {
    const turn = await findTurn(store, id)
    const { outcome, differences, divergence } = await replay(store, turn, { use })
    print(`${turn.id}: ${outcome}`)
    for (const { when, directive, by, at, step, reason } of differences)
      print(
        `${when === 'then' ? '-' : '+'} ${directive} by ${by} at ${at}, step ${step}${reason ? `: ${oneLine(reason)}` : ''}`,
      )
    if (divergence)
      print(
        `From ${divergence.where} on the record no longer applies (${divergence.at}): ${oneLine(divergence.reason, 300)}`,
      )
    return exitCodes[outcome]
  })
}

const load = async (name: string) =>
  middlewareNames.includes(name) ? namedMiddleware(name, undefined) : hookModule(await bundle(resolve(name)), undefined)
