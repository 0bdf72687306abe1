import { resolve } from 'node:path'
import { replay } from 'turnbuckle/stores'
import type { Run } from '../command-table.ts'
import { hookModule } from '../compose/hook-module.ts'
import { middlewareNames, namedMiddleware } from '../compose/named-middleware.ts'
import { bundle } from '../settings/bundle.ts'
import { oneLine, print } from '../terminal-text.ts'
import { findTurn, withStore } from './with-store.ts'

const exitCodes = { same: 0, different: 1, diverged: 3 } as const

/** Modules are named by the person, here and now: that is their trust. */
export const run: Run = async ({ positionals: [id = '', ...more], values }) => {
  const named = (values.with ?? []) as unknown as readonly string[]
  const use = (await Promise.all([...named, ...more].map(load))).flat()
  return withStore(async store => {
    const turn = await findTurn(store, id)
    const { outcome, differences, divergence } = await replay(store, turn, { use })
    print(`${turn.id}: ${outcome}`)
    for (const { when, directive, by, at, step, reason } of differences)
      print(
        `${when === 'then' ? '-' : '+'} ${directive} by ${by} at ${at}, step ${step}${reason ? `: ${oneLine(reason)}` : ''}`,
      )
    if (divergence) print(`The record stops to apply: ${oneLine(JSON.stringify(divergence), 300)}`)
    return exitCodes[outcome]
  })
}

const load = async (name: string) =>
  middlewareNames.includes(name) ? namedMiddleware(name, undefined) : hookModule(await bundle(resolve(name)), undefined)
