import fc from 'fast-check'
import { checkHistory } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Call, callsOf, type Message, resultMessage } from '../base/message.ts'
import {
  checkEdited,
  checkRecordable,
  isProblem,
  openAfter,
  openAfterRecording,
  openCallsAt,
  resultsForOpen,
  withheldResult,
} from './call-pairing.ts'
import { pathOf, Tree, type TreeNode } from './tree.ts'

const call = (id: string): Call => ({ type: 'call', id, name: 'look', args: {} })
const reply = (id: string, ...calls: readonly Call[]): Message => ({
  id,
  role: 'assistant',
  content: [{ type: 'text', text: 'Hm.' }, ...calls],
})
const said = (id: string): Message => ({ id, role: 'user', content: [{ type: 'text', text: 'Hi.' }] })
const resultOf = (id: string, made: Call): Message => resultMessage(id, made, { status: 'ok', value: 1 })

/** Messages in any order: a `tool` answers one of the last calls or a call that nobody made, in any order and any number of times. */
const anyMessages = fc
  .array(fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'tool'), calls: fc.nat(3), back: fc.nat(4) }), {
    maxLength: 25,
  })
  .map(plans => {
    const made: Call[] = []
    return plans.map(({ role, calls, back }, i): Message => {
      if (role === 'user') return said(`m${i}`)
      if (role === 'tool') return resultOf(`m${i}`, made.at(-1 - back) ?? call('stray'))
      const mine = Array.from({ length: calls }, (_, n) => call(`c${i}.${n}`))
      made.push(...mine)
      return reply(`m${i}`, ...mine)
    })
  })

/** Records each message that the rule allows; calls `look` after each with the tip and the open calls. */
function recordAllowed(messages: readonly Message[], look: (tip: TreeNode, open: readonly Call[]) => void): void {
  const tree = new Tree()
  let tip: TreeNode | undefined
  let open: readonly Call[] = []
  for (const message of messages) {
    const next = openAfter(open, message)
    if (isProblem(next)) continue
    tip = tree.add(tip, message, undefined, 0)
    open = next
    look(tip, open)
  }
}
const eachPrefix = (look: (tip: TreeNode, open: readonly Call[]) => void): void =>
  fc.assert(fc.property(anyMessages, messages => recordAllowed(messages, look)))

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
const orphan = expect.objectContaining({ code: 'history.orphan' })

describe('whatever messages come, where the rule decides which are recorded', () => {
  test('each call has exactly one result, in order, once the open ones have those that a branch makes up', () => {
    eachPrefix(tip => {
      const made = resultsForOpen(tip).map(({ message }) => message)
      expect(checkHistory([...pathOf(tip), ...made])).toEqual([])
    })
  })

  test('a path has the open calls that its messages have left, one after another', () => {
    eachPrefix((tip, open) => expect(idsOf(openCallsAt(tip))).toEqual(idsOf(open)))
  })

  test('recording the results in order closes the calls, and then none is open', () => {
    eachPrefix((_tip, open) => {
      let left = open
      for (const owed of open) {
        expect(left[0]).toBe(owed)
        const next = resultOf('r', owed)
        checkRecordable(left, undefined, next)
        expect(openAfterRecording(left, next)).toEqual(openAfter(left, next))
        left = openAfterRecording(left, next)
      }
      expect(left).toEqual([])
    })
  })

  test('while a call is open neither another result nor another message is recorded', () => {
    eachPrefix((_tip, open) => {
      if (!open.length) return
      const others = [said('x'), reply('x'), resultOf('x', call('stray')), ...open.slice(1).map(c => resultOf('x', c))]
      for (const other of others) {
        expect(isProblem(openAfter(open, other))).toBe(true)
        expect(() => checkRecordable(open, undefined, other)).toThrow('it must be the result of')
      }
    })
  })

  test('an edit that changes nothing is allowed from any place; one that takes a result or its call away is not', () => {
    eachPrefix((tip, open) => {
      const path = pathOf(tip)
      path.forEach((message, i) => {
        expect(() => checkEdited(path, i, open)).not.toThrow()
        const pairs = message.role === 'tool' || callsOf(message).length > 0
        const without = path.filter(other => other !== message)
        if (pairs) expect(() => checkEdited(without, i, open)).toThrow(orphan)
        else expect(() => checkEdited(without, i, open)).not.toThrow()
      })
    })
  })
})

test('a result in the message that made the call answers it', () => {
  const own = reply('m1', call('c1'), call('c2'))
  const answered: Message = { ...own, content: [...own.content, ...resultOf('r', call('c1')).content] }
  expect(openAfter([], answered)).toEqual([call('c2')])
})

test('a message without its calls, with others, or without anything is not recorded', () => {
  const own = reply('m1', call('c1'))
  const refused = (message: Message) => () => checkRecordable([], own, message)
  expect(refused(own)).not.toThrow()
  expect(refused({ ...own, content: [call('c1')] })).not.toThrow()
  expect(refused({ ...own, content: [{ type: 'text', text: 'No.' }] })).toThrow('its calls are not those that will run')
  expect(refused({ ...own, content: [call('c2')] })).toThrow('its calls are not those that will run')
  expect(refused({ ...own, id: 'm2', content: [] })).toThrow('it is empty')
  expect(refused(resultOf('r', call('c1')))).toThrow('no call waits for a result')
})

test('the calls of a running batch are open at the end of an edited path, and only they', () => {
  const path = [said('m0'), reply('m1', call('c1'), call('c2')), resultOf('r', call('c1'))]
  expect(() => checkEdited(path, 0, [call('c2')])).not.toThrow()
  expect(() => checkEdited(path, 0, [])).toThrow('the call "c2" would have no result')
  expect(() => checkEdited(path.slice(0, 1), 0, [call('c2')])).toThrow('calls are running')
})

test('a withheld result keeps its call and loses its value', () => {
  expect(withheldResult(resultOf('r', call('c1')))).toMatchObject({
    id: 'r',
    content: [{ type: 'result', id: 'c1', status: 'error', value: expect.stringContaining('Withheld') }],
  })
})
