import { text as readAll } from 'node:stream/consumers'
import { type Event, type Turn, textOf } from 'turnbuckle'
import { wireEvent } from 'turnbuckle/client'
import { answerUnattended, type Unattended } from '../command-line/answer-unattended.ts'
import { readInput } from '../command-line/read-input.ts'
import type { CommandFunction, ParsedCommand } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { noteComposed } from '../compose/note-composed.ts'
import { UserError } from '../errors/user-error.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { pickConversation } from '../store/pick-conversation.ts'
import { print, printJson, printNote } from '../text/print.ts'
import { refusalNote } from '../text/refusal-note.ts'
import { retryLine, retryNote } from '../text/retry-note.ts'

const exitCodes = { completed: 0, failed: 1, stopped: 3, interrupted: 130 } as const

export const runCommand: CommandFunction = async args => {
  const { values } = args
  if (values.yes && values.deny) throw new UserError('--yes and --deny exclude each other.')
  const prompt = await promptOf(args)
  const composed = await composeAgent(await loadSettings(), { model: values.model as string | undefined })
  noteComposed(composed)
  try {
    const conversation = await pickConversation(composed, values)
    const turn = conversation.send(prompt)
    return await follow(turn, values)
  } finally {
    await composed.close()
  }
}

/** The prompt of the command line, then standard input where that is a file or a pipe. */
async function promptOf({ positionals: [given] }: ParsedCommand): Promise<string> {
  if ((given === undefined || given === '-') && process.stdin.isTTY)
    throw new UserError('What shall it do? Usage: turnbuckle run "PROMPT" [--json] [--yes|--deny]')
  const said = given === '-' ? undefined : given
  const piped = said === undefined ? await readAll(process.stdin) : await readInput()
  const prompt = [said, piped.trim() ? piped : undefined].filter(part => part !== undefined).join('\n\n')
  if (!prompt.trim()) throw new UserError('The prompt is empty.')
  return prompt
}

const answerOf = ({ yes, deny }: ParsedCommand['values']): Unattended => (yes ? 'allow' : deny ? 'deny' : 'nobody')

async function follow(turn: Turn, values: ParsedCommand['values']): Promise<number> {
  const { json } = values
  const interrupt = () => turn.interrupt('Ctrl-C')
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  for await (const event of turn) {
    if (json) printJson(wireEvent(event))
    else tell(event)
    if (event.type === 'request.opened') answerUnattended(turn, event, answerOf(values))
  }
  process.off('SIGINT', interrupt)
  process.off('SIGTERM', interrupt)
  const { status, reason, by, text } = await turn.settled
  if (json) return exitCodes[status]
  // Contract: standard output has the last answer and nothing else, so that `answer=$(turnbuckle run …)` is right.
  if (text) print(text.endsWith('\n') ? text : `${text}\n`)
  if (status !== 'completed') printNote(`${status} by ${by}: ${reason}`)
  return exitCodes[status]
}

/** Everything about the answer goes to standard error, a line each. */
function tell(event: Event): void {
  const retry = retryNote(event)
  const note = retry ? `[${retryLine(retry)}]` : noteOf(event)
  if (note) printNote(note)
}

function noteOf(event: Event): string {
  switch (event.type) {
    case 'message.added':
      return event.message.content.some(({ type }) => type === 'call') ? textOf(event.message) : ''
    case 'tool.executing':
      return `[${event.name} …]`
    case 'tool.completed':
    case 'tool.failed':
      return `[${event.name} ${event.status}]`
    case 'agent.event': {
      const note = noteOf(event.event)
      return note && `${event.agent}: ${note}`
    }
    case 'request.answered':
      return refusalNote(event.decision)
    case 'request.expired':
      return event.reason === 'nobody' ? `[${event.kind}: nobody is here to answer]` : ''
    case 'message.discarded':
      return `[withdrawn: ${event.reason}]`
    default:
      return ''
  }
}
