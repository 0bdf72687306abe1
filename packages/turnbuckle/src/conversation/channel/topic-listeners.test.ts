import { expect, test } from 'vitest'
import { TopicListeners } from './topic-listeners.ts'

test('a message reaches the listeners of its topic, also behind one that throws', () => {
  const listeners = new TopicListeners()
  const heard: unknown[] = []
  listeners.add('a', {
    hear() {
      throw new Error('no')
    },
  })
  listeners.add('a', { hear: message => heard.push(message) })
  listeners.add('b', { hear: () => heard.push('of another topic') })
  listeners.tell('a', 1)
  expect(heard).toEqual([1])
})

test('removing the last listener of a topic says so, once', () => {
  const listeners = new TopicListeners()
  const [first, second] = [listeners.add('a', { hear() {} }), listeners.add('a', { hear() {} })]
  expect([first(), listeners.has('a'), second(), second(), listeners.has('a')]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})

test('that messages may be missing is told to all, or to the one that has begun to listen', () => {
  const listeners = new TopicListeners()
  const missed: string[] = []
  const listener = (name: string) => ({ hear() {}, missed: () => missed.push(name) })
  const late = listener('late')
  listeners.add('a', listener('early'))
  listeners.add('a', late)
  listeners.tellMissed(['a'], late)
  listeners.tellMissed()
  expect(missed).toEqual(['late', 'early', 'late'])
})
