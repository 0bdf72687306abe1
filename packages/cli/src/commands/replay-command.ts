import { resolve } from 'node:path'
import { replay } from 'turnbuckle/stores'
import type { CommandFunction, ParsedCommand } from '../command-table.ts'
import { loadHookModule } from '../compose/load-hook-module.ts'
import { makeNamedMiddleware, middlewareNames } from '../compose/make-named-middleware.ts'
import { UserError } from '../errors/user-error.ts'
import { bundleModule } from '../settings/bundle-module.ts'
import { findTurn } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { oneLine } from '../text/one-line.ts'
import { printLine } from '../text/print.ts'

const exitCodes = { same: 0, different: 1, diverged: 3 } as const

/** Exit code 1 means a different decision, so a turn that cannot be replayed at all ends with 2. */
export const replayCommand: CommandFunction = args =>
  replayTurn(args).catch((error: Error) => {
    throw new UserError(error.message)
  })

/** Modules on the command line need no trust question: the person has just named them. */
async function replayTurn({ positionals: [id = '', ...more], values }: ParsedCommand): Promise<number> {
  const named = (values.with ?? []) as unknown as readonly string[]
  if (!named.length) throw new UserError('With which middleware? Usage: turnbuckle replay TURN --with MODULE…')
  const use = (await Promise.all([...named, ...more].map(load))).flat()
  return withStore(async store => {
    const turn = await findTurn(store, id)
    const { outcome, differences, divergence } = await replay(store, turn, { use })
    printLine(`${turn.id}: ${outcome}`)
    for (const { when, directive, by, at, step, reason } of differences)
      printLine(
        `${when === 'then' ? '-' : '+'} ${directive} by ${by} at ${at}, step ${step}${reason ? `: ${oneLine(reason)}` : ''}`,
      )
    if (divergence)
      printLine(
        `From ${divergence.where} on the record no longer applies (${divergence.at}): ${oneLine(divergence.reason, 300)}`,
      )
    return exitCodes[outcome]
  })
}

const load = async (name: string) =>
  middlewareNames.includes(name)
    ? makeNamedMiddleware(name, undefined)
    : loadHookModule(await bundleModule(resolve(name)), undefined)
