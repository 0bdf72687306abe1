import { expect, test } from 'vitest'
import { Interjections } from './interjections.ts'
import { LaterTexts } from './later-texts.ts'

/** A turn that has not heard what it was told. */
const turn = () => {
  const told: string[] = []
  return { told, interject: (text: string) => void told.push(text), takeBack: () => told.pop() }
}

test('the turn hears the texts that waited, and the person takes back what they wrote', () => {
  const later = new LaterTexts()
  const interjections = new Interjections(later)
  const running = turn()
  later.tell('output of a command')
  expect(interjections.say(running, 'look at it')).toBe(true)
  expect(running.told).toEqual(['look at it\n\noutput of a command'])
  expect(later.all).toEqual([])
  expect(interjections.takeBack(running)).toBe('look at it')
  expect(later.all).toEqual(['output of a command'])
  expect(interjections.takeBack(running)).toBeUndefined()
})

test('a turn that has just ended is told nothing, and the texts go on waiting', () => {
  const later = new LaterTexts()
  const interjections = new Interjections(later)
  later.tell('output of a command')
  const ended = {
    interject() {
      throw new Error('The turn has ended.')
    },
  }
  expect(interjections.say(ended, 'look at it')).toBe(false)
  expect(later.all).toEqual(['output of a command'])
})

test('what another program has said to the turn is taken back as it is', () => {
  const interjections = new Interjections(new LaterTexts())
  const running = turn()
  running.interject('from elsewhere')
  expect(interjections.takeBack(running)).toBe('from elsewhere')
  expect(interjections.takeBack(undefined)).toBeUndefined()
})

test('words of a turn before are not those of the next', () => {
  const later = new LaterTexts()
  const interjections = new Interjections(later)
  const running = turn()
  later.tell('old output')
  interjections.say(running, 'words')
  interjections.clear()
  expect(interjections.takeBack(running)).toBe('words\n\nold output')
  expect(later.all).toEqual([])
})

test('what a turn that could not begin has not heard is taken whole, but for what was taken back', () => {
  const interjections = new Interjections(new LaterTexts())
  const running = turn()
  for (const text of ['one', 'two']) interjections.say(running, text)
  interjections.takeBack(running)
  expect(interjections.takeAll()).toEqual([{ text: 'one', later: [] }])
  expect(interjections.takeAll()).toEqual([])
})
