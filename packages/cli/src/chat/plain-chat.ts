import { createInterface } from 'node:readline'
import type { Agent, Conversation, Event, Turn } from 'turnbuckle'
import { answerUnattended } from '../command-line/answer-unattended.ts'
import { oneLine } from '../text/one-line.ts'
import { print, printNote } from '../text/print.ts'
import { refusalNote } from '../text/refusal-note.ts'
import { ReplyText } from '../text/reply-text.ts'
import { retryLine, retryNote } from '../text/retry-note.ts'

/** The chat in a pipe: a line in, a reply out. Nobody can be asked, so what needs a yes is denied. */
export async function plainChat(agent: Agent, started: Conversation): Promise<number> {
  let conversation = started
  let turn: Turn | undefined
  const interrupt = () => {
    if (turn && !turn.ended) turn.interrupt('Ctrl-C')
    else process.exit(130)
  }
  process.on('SIGINT', interrupt)
  if (conversation.unfinished.length) tell('The last turn did not end. /continue goes on with it.')
  let failed = false
  for await (const line of createInterface({ input: process.stdin })) {
    const text = line.trim()
    if (!text) continue
    if (text === '/quit') break
    const begun = begin(agent, conversation, text)
    if (typeof begun === 'string') tell(begun)
    else {
      turn = begun
      failed = !(await follow(turn))
    }
    // A turn that is gone on with has a handle of its own.
    if (text === '/continue') conversation = agent.conversation(conversation.id)
  }
  process.off('SIGINT', interrupt)
  return failed ? 1 : 0
}

/** The turn that a line begins, or what there is to say instead. */
function begin(agent: Agent, conversation: Conversation, text: string): Turn | string {
  if (text === '/continue') return agent.resume(conversation.id) ?? 'There is nothing to go on with.'
  if (/^\/[a-z]+$/.test(text)) return `There is no ${text} in a pipe, only /continue and /quit.`
  return conversation.send(text)
}

const tell = printNote

/** Notes about the reply, which is on standard output. */
function tellBeside(event: Event, reply: ReplyText): void {
  const retry = retryNote(event)
  const refusal = event.type === 'request.answered' ? refusalNote(event.decision) : ''
  if (retry) tell(`[${retryLine(retry)}]`)
  else if (refusal) tell(refusal)
  else if (event.type === 'message.discarded' && reply.has(event.messageId))
    tell(`[withdrawn: ${oneLine(event.reason, 200)}]`)
}

async function follow(turn: Turn): Promise<boolean> {
  const reply = new ReplyText()
  for await (const event of turn) {
    print(reply.next(event))
    if (event.type === 'tool.completed' || event.type === 'tool.failed') print(`\n[${event.name} ${event.status}]\n`)
    else if (event.type === 'request.opened') answerUnattended(turn, event, 'nobody')
    else tellBeside(event, reply)
  }
  const { status, reason, by } = await turn.settled
  print('\n')
  if (status !== 'completed') tell(`${status} by ${by}: ${oneLine(reason, 300)}`)
  return status !== 'failed'
}
