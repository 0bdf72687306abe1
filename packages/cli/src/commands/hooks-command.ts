import { askTrustOnTerminal, canAskOnTerminal } from '../command-line/ask-trust-on-terminal.ts'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { writeSwitch } from '../compose/middleware-switches.ts'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { AskTrust, TrustItem } from '../settings/trust-file.ts'
import { printLine, printNote } from '../text/print.ts'

export const hooksCommand: CommandFunction = async ({ positionals: [word = 'list', name], values }) => {
  if (word === 'list') return listHooks()
  if (word === 'trust') return trust(values.yes === true)
  if (name === undefined)
    throw new UserError(`Which one? turnbuckle hooks ${word} NAME; turnbuckle hooks list shows them.`)
  return switchHook(name, word === 'enable')
}

async function listHooks(): Promise<number> {
  const { agent, configured, untrusted, notices, close } = await composeAgent(await loadSettings(), {
    model: 'offline',
  })
  const sources = new Map(
    configured.flatMap(({ active, entry, from }) => active.map(one => [one.name, `${entry.use} (${from})`])),
  )
  const line = (mark: string, name: string, priority: number | undefined, guard: boolean, source: string) =>
    printLine(
      `${mark} ${name.padEnd(20)} ${String(priority ?? '').padStart(4)} ${guard ? 'guard' : '     '}  ${source}`,
    )
  for (const { name, enabled, priority, guard } of agent.middleware)
    line(enabled ? '●' : '○', name, priority, guard, sources.get(name) ?? 'built in')
  for (const { entry, from } of untrusted) line('⊘', entry.use, entry.priority, false, `not trusted (${from})`)
  for (const notice of notices) printNote(notice)
  await close()
  return 0
}

async function switchHook(name: string, enabled: boolean): Promise<number> {
  const loaded = await loadSettings()
  const { configured, notices, close } = await composeAgent(loaded, { model: 'offline' })
  const names = configured.flatMap(({ active }) => active.map(one => one.name))
  await close()
  // A module that is not trusted did not run, so its middleware has no name: the notices say so.
  for (const notice of notices) printNote(notice)
  if (!names.includes(name))
    throw new UserError(
      names.length
        ? `The settings have no middleware "${name}". ${suggestNearest(name, names)}`
        : `The settings have no middleware${notices.length ? ' that is in use' : ''}.`,
    )
  writeSwitch(loaded.home, loaded.root, name, enabled)
  printLine(`${name} is ${enabled ? 'on' : 'off'} in ${loaded.root}.`)
  return 0
}

/** Asks about everything that is not trusted yet. Without a terminal it needs `--yes`. */
async function trust(yes: boolean): Promise<number> {
  if (!yes && !canAskOnTerminal())
    throw new UserError('There is no terminal to ask on. Look at the hooks, then add --yes.')
  const asked: TrustItem[] = []
  let refused = false
  const ask: AskTrust = async (items, root) => {
    asked.push(...items)
    if (yes) for (const { name, does, hash } of items) printLine(`${name}  ${does}  (${hash.slice(0, 12)})`)
    const said = yes || (await askTrustOnTerminal(items, root))
    refused ||= !said
    return said
  }
  const { close } = await composeAgent(await loadSettings({ ask }), { model: 'offline', ask })
  await close()
  printLine(asked.length ? (refused ? 'Not trusted.' : 'Trusted.') : 'Nothing here needs to be trusted.')
  return refused ? 1 : 0
}
