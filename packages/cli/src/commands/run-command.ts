import { text as readAll } from 'node:stream/consumers'
import type { Event, Turn } from 'turnbuckle'
import { answerUnattended } from '../command-line/answer-unattended.ts'
import type { CommandFunction, ParsedCommand } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { UserError } from '../errors/user-error.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { pickConversation } from '../store/pick-conversation.ts'
import { ReplyText } from '../text/reply-text.ts'

const exitCodes = { completed: 0, failed: 1, stopped: 3, interrupted: 130 } as const

export const runCommand: CommandFunction = async args => {
  const { values } = args
  if (values.yes && values.deny) throw new UserError('--yes and --deny exclude each other.')
  const prompt = await promptOf(args)
  const composed = await composeAgent(await loadSettings(), { model: values.model as string | undefined })
  for (const notice of composed.notices) process.stderr.write(`${notice}\n`)
  try {
    const conversation = await pickConversation(composed, values)
    const turn = conversation.send(prompt)
    return await follow(turn, values)
  } finally {
    await composed.close()
  }
}

async function promptOf({ positionals: [given] }: ParsedCommand): Promise<string> {
  if (given === undefined && process.stdin.isTTY)
    throw new UserError('What shall it do? Usage: turnbuckle run "PROMPT" [--json] [--yes|--deny]')
  const prompt = given === undefined || given === '-' ? await readAll(process.stdin) : given
  if (!prompt.trim()) throw new UserError('The prompt is empty.')
  return prompt
}

async function follow(turn: Turn, { json, yes }: ParsedCommand['values']): Promise<number> {
  const interrupt = () => turn.interrupt('Ctrl-C')
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  const reply = new ReplyText()
  for await (const event of turn) {
    if (json) process.stdout.write(`${JSON.stringify(event, asOnTheWire)}\n`)
    else tell(event, reply.next(event))
    if (event.type === 'request.opened') answerUnattended(turn, event, yes ? 'allow' : 'deny')
  }
  process.off('SIGINT', interrupt)
  process.off('SIGTERM', interrupt)
  const { status, reason, by, text } = await turn.settled
  if (!json && text && !text.endsWith('\n')) process.stdout.write('\n')
  if (!json && status !== 'completed') process.stderr.write(`${status} by ${by}: ${reason}\n`)
  return exitCodes[status]
}

/** The wire writes a message without a parent as `parentId: null`, where the event leaves the key out. */
const asOnTheWire = (key: string, value: unknown): unknown => (key === 'parentId' && value === undefined ? null : value)

/** The reply goes to standard output, everything about it to standard error. */
function tell(event: Event, text: string): void {
  process.stdout.write(text)
  switch (event.type) {
    case 'tool.completed':
    case 'tool.failed':
      process.stdout.write('\n')
      process.stderr.write(`[${event.name} ${event.status}]\n`)
      return
    case 'request.expired':
      if (event.reason === 'nobody') process.stderr.write(`\n[${event.kind}: nobody is here to answer]\n`)
      return
    case 'message.discarded':
      process.stderr.write(`\n[withdrawn: ${event.reason}]\n`)
  }
}
