import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { recordedSettings } from '@turnbuckle/server'
import { type ConversationStore, type ReplayOptions, replay } from 'turnbuckle/stores'
import type { CommandFunction, ParsedCommand } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { replayedLines, summaryLines, turnLines } from '../replay/replay-lines.ts'
import { replayMiddleware, type TriedChanges } from '../replay/replay-middleware.ts'
import { exitCodes, ReplayTally } from '../replay/replay-tally.ts'
import { ReportPage } from '../replay/report-page.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { findTurn } from '../store/find-conversation.ts'
import { withStore } from '../store/with-store.ts'
import { clearProgress, printLine, printNote, printProgress } from '../text/print.ts'

/** Exit code 1 means a different decision, so what cannot be replayed at all ends with 2. */
export const replayCommand: CommandFunction = args =>
  replayTurns(args).catch((error: Error) => {
    throw new UserError(error.message)
  })

interface WantedReplay extends TriedChanges {
  /** A turn's id; undefined for all of the store. */
  readonly turn: string | undefined
  readonly html: string | undefined
}

async function replayTurns(args: ParsedCommand): Promise<number> {
  const wanted = readArguments(args)
  const { options, notices } = await replayMiddleware(await loadSettings(), wanted)
  for (const notice of notices) printNote(notice)
  return withStore(store => {
    const asThen = withRecordedSettings(store, options)
    return wanted.turn === undefined ? replayStore(store, asThen, wanted) : replayOne(store, asThen, wanted.turn)
  })
}

/** A turn has the settings of its own that its conversation had then: they are not what a replay tries. */
function withRecordedSettings(store: ConversationStore, { use, ...options }: ReplayOptions): ReplayOptions {
  const recorded = recordedSettings(store)
  return {
    ...options,
    use: async turn => [await recorded(turn), typeof use === 'function' ? await use(turn) : use],
  }
}

/** `--with A B`: words behind the turn are modules too. */
function readArguments({ positionals, values }: ParsedCommand): WantedReplay {
  const { all = false, html } = values
  const turn = all ? undefined : positionals[0]
  const named = [...list(values.with), ...positionals.slice(all ? 0 : 1)]
  const without = list(values.without)
  const usage = 'Usage: turnbuckle replay TURN|--all --with MODULE…'
  if (!all && turn === undefined) throw new UserError(`Which turn? ${usage}`)
  if (!named.length && !without.length) throw new UserError(`With which middleware? ${usage}`)
  if (html !== undefined && !all) throw new UserError('--html is for --all: a report of the whole store.')
  return { turn, with: named, without, html: typeof html === 'string' ? html : undefined }
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

async function replayOne(store: ConversationStore, options: ReplayOptions, id: string): Promise<number> {
  const turn = await findTurn(store, id)
  const replayed = await replay(store, turn, options)
  printLine(`${turn.id}: ${replayed.outcome}`)
  for (const line of replayedLines(replayed)) printLine(line)
  return exitCodes[replayed.outcome]
}

async function replayStore(store: ConversationStore, options: ReplayOptions, wanted: WantedReplay): Promise<number> {
  const tally = new ReplayTally()
  const page = new ReportPage()
  for await (const turn of replay(store, 'all', options)) {
    tally.add(turn)
    page.add(turn)
    clearProgress()
    for (const line of turnLines(turn)) printLine(line)
    printProgress(`${tally.turns} turns, ${tally.conversations} conversations …`)
  }
  clearProgress()
  for (const line of summaryLines(tally)) printLine(line)
  if (wanted.html !== undefined) await writeReport(wanted.html, page.html(tally, triedText(wanted)))
  return tally.exitCode
}

const triedText = ({ with: named, without }: TriedChanges): string =>
  [...named, ...without.map(name => `no ${name}`)].join(', ')

async function writeReport(file: string, html: string): Promise<void> {
  await writeFile(resolve(file), html).catch((error: Error) => {
    throw new UserError(`The report cannot be written: ${error.message}`)
  })
  printNote(`The report is in ${resolve(file)}.`)
}
