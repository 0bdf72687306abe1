import type { ConversationState, LiveCall, SubAgentState } from 'turnbuckle/client'
import { oneLine } from '../../text/one-line.ts'

/** The lines that a call with a sub-agent has below it: its latest, newest last. */
const most = 5

/** The calls and the text of the sub-agents that work for a call, those of their own sub-agents indented below; none where nobody does. */
export function subAgentText({ agents }: ConversationState, turnId: string | undefined, callId: string): string {
  const own = [...agents.values()].filter(agent => agent.turnId === turnId && agent.callId === callId)
  return own.flatMap(agentLines).slice(-most).join('\n')
}

function agentLines({ agent, state }: SubAgentState): readonly string[] {
  const { calls, live, agents } = state
  const told = [...calls.values()].flatMap(call => [
    callLine(agent, call),
    ...[...agents.values()]
      .filter(({ callId, turnId }) => callId === call.callId && turnId === call.turnId)
      .flatMap(agentLines)
      .map(line => `  ${line}`),
  ])
  const writing = [...live.values()].flatMap(({ text }) => text.trim().split('\n').at(-1) || [])
  return [...told, ...writing.map(line => `${oneLine(agent, 40)}: ${oneLine(line, 200)}`)]
}

const marks: Readonly<Record<string, string>> = { pending: '○', executing: '◐', ok: '✓' }

function callLine(agent: string, { name, status, args }: LiveCall): string {
  const given = args === undefined ? '' : ` ${oneLine(JSON.stringify(args) ?? '', 120)}`
  return `${oneLine(agent, 40)}: ${marks[status] ?? '✗'} ${oneLine(name, 60)}${given}`
}
