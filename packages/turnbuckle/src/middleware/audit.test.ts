import { createAgent, tool } from 'turnbuckle'
import { scriptedModel, sequentialIds, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { approval } from './approval/approval.ts'
import { type AuditEntry, audit, memoryAudit } from './audit.ts'

const call = { calls: [{ name: 'send', args: { to: 'joe' } }] }

function audited(decision: 'allow' | 'deny', sink = memoryAudit()) {
  const ran: unknown[] = []
  const send = tool({ name: 'send', run: args => ran.push(args) && 'sent' })
  const guard = approval({ answers: () => ({ decision, by: 'alice', reason: 'because' }) })
  const agent = createAgent({
    model: scriptedModel([call, 'done']),
    tools: [send],
    use: [audit({ sink }), guard],
    ids: sequentialIds(),
    clock: virtualClock(7),
  })
  return { agent, sink, ran }
}

const line = ({ type, by, status }: AuditEntry) => [type, by, status].filter(Boolean).join(' ')

test.each([
  {
    decision: 'allow' as const,
    lines: [
      'turn.started person',
      'request.opened turn',
      'request.answered alice',
      'call.allowed guards',
      'tool.executing turn',
      'call.ended tool ok',
      'turn.ended model completed',
    ],
  },
  {
    decision: 'deny' as const,
    lines: [
      'turn.started person',
      'request.opened turn',
      'request.answered alice',
      'call.ended approval denied',
      'turn.ended model completed',
    ],
  },
])('says who decided what, in order: $decision', async ({ decision, lines }) => {
  const { agent, sink } = audited(decision)
  await agent.send('?')
  expect(sink.entries.map(line)).toEqual(lines)
  expect(sink.entries.find(({ type }) => type === 'request.answered')).toMatchObject({
    at: 7,
    conversationId: 'conv_1',
    turnId: 'turn_1',
    step: 0,
    decision: { decision, reason: 'because' },
  })
  if (decision === 'deny')
    expect(sink.entries.at(-1)?.decisions).toMatchObject([{ directive: 'block', by: 'approval', reason: 'because' }])
})

test('what cannot be written down does not run', async () => {
  const { entries, append } = memoryAudit()
  const full = {
    entries,
    append(entry: AuditEntry) {
      if (entry.type === 'call.allowed') throw new Error('disk full')
      return append(entry)
    },
  }
  const { agent, ran } = audited('allow', full)
  const { messages } = await agent.send('?')
  expect(ran).toEqual([])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value: expect.stringContaining('disk full') })
})

test('an entry can be changed before it is written', async () => {
  const sink = memoryAudit()
  const hide = (entry: AuditEntry): AuditEntry => ('args' in entry ? { ...entry, args: 'hidden' } : entry)
  const tools = [tool({ name: 'send', run: () => 1 })]
  await createAgent({ model: scriptedModel([call, 'done']), tools, use: [audit({ sink, entry: hide })] }).send('?')
  expect(JSON.stringify(sink.entries)).not.toContain('joe')
})
