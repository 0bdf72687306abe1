import { createInterface } from 'node:readline'
import type { Conversation, Turn } from 'turnbuckle'
import { answerAlone } from '../answer-alone.ts'
import { ReplyText } from '../reply-text.ts'
import { oneLine } from '../terminal-text.ts'

/** The chat in a pipe: a line in, a reply out. Nobody can be asked, so what needs a yes is denied. */
export async function plainChat(conversation: Conversation): Promise<number> {
  let turn: Turn | undefined
  const interrupt = () => {
    if (turn && !turn.ended) turn.interrupt('Ctrl-C')
    else process.exit(130)
  }
  process.on('SIGINT', interrupt)
  let failed = false
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue
    if (line.trim() === '/quit') break
    turn = conversation.send(line)
    failed = !(await follow(turn))
  }
  process.off('SIGINT', interrupt)
  return failed ? 1 : 0
}

async function follow(turn: Turn): Promise<boolean> {
  const reply = new ReplyText()
  for await (const event of turn) {
    process.stdout.write(reply.next(event))
    if (event.type === 'tool.completed' || event.type === 'tool.failed')
      process.stdout.write(`\n[${event.name} ${event.status}]\n`)
    else if (event.type === 'request.opened') answerAlone(turn, event, 'deny')
  }
  const { status, reason, by } = await turn.settled
  process.stdout.write('\n')
  if (status !== 'completed') process.stderr.write(`${status} by ${by}: ${oneLine(reason, 300)}\n`)
  return status !== 'failed'
}
