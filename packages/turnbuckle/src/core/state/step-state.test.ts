import { expect, test } from 'vitest'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { ModelAttempt } from '../model/model-attempt.ts'
import { StepState } from './step-state.ts'

const call: Call = { type: 'call', id: 'c1', name: 'look', args: {} }
const reply: Message = { id: 'm1', role: 'assistant', content: [call] }
const result: ToolResult = { status: 'ok', value: 1 }

function attempt(text: string) {
  const withdrawn: string[] = []
  const made = { text, withdraw: (reason: string) => void withdrawn.push(reason) } as unknown as ModelAttempt
  return { made, withdrawn }
}

test('steps are counted from 0; before the first there is -1', () => {
  const step = new StepState(0)
  expect(step.index).toBe(-1)
  step.begin(0)
  step.begin(0)
  expect(step.index).toBe(1)
  step.skipTo(5)
  step.skipTo(3)
  expect(step.index).toBe(5)
})

test('a new step has a fresh draft; the user’s message stays, the results are the last ones', () => {
  const step = new StepState(0)
  const message: Message = { id: 'u', role: 'user', content: [] }
  step.setUserMessage(message)
  step.setReply(reply)
  step.setCalls([call])
  step.setResults([result])
  step.decide(true)
  step.begin(7)
  const { userMessage, reply: left, calls, results, startedAt } = step.draft
  expect({ userMessage, left, calls, results, startedAt }).toEqual({
    userMessage: message,
    left: undefined,
    calls: [],
    results: [],
    startedAt: 7,
  })
  expect([step.lastResults, step.wantsMore]).toEqual([[result], undefined])
})

test('attempts are numbered within a step, and never twice', () => {
  const step = new StepState(0)
  step.begin(0)
  expect([step.nextAttempt(), step.nextAttempt()]).toEqual([0, 1])
  step.skipAttempts(1)
  expect(step.nextAttempt()).toBe(2)
  step.skipAttempts(9)
  expect(step.nextAttempt()).toBe(9)
  step.begin(0)
  expect(step.nextAttempt()).toBe(0)
})

test('the draft has the text of the attempt while it lasts, also after it was cleared', () => {
  const step = new StepState(0)
  step.beginAttempt(attempt('Hel').made)
  expect(step.draft.text).toBe('Hel')
  step.clearDraft(1)
  expect(step.draft.text).toBe('Hel')
  step.endAttempt()
  expect([step.draft.text, step.attempt]).toEqual(['', undefined])
})

test('a dropped attempt is withdrawn with the reason, and its reply forgotten', () => {
  const step = new StepState(0)
  const { made, withdrawn } = attempt('Hel')
  step.beginAttempt(made)
  step.setReply(reply)
  step.dropAttempt('left behind')
  step.dropAttempt('again')
  expect(withdrawn).toEqual(['left behind'])
  expect([step.attempt, step.draft.reply]).toEqual([undefined, undefined])
})

test('another reply has no calls yet and is not recorded', () => {
  const step = new StepState(0)
  step.setReply(reply)
  step.setCalls([call])
  step.recordReply()
  expect(step.replyRecorded).toBe(true)
  step.setReply({ ...reply, id: 'm2' })
  expect([step.draft.calls, step.replyRecorded]).toEqual([[], false])
})

test('the stage to start with is taken once', () => {
  const step = new StepState(0)
  step.startWith('tools')
  expect([step.takeStart(), step.takeStart()]).toEqual(['tools', undefined])
})
