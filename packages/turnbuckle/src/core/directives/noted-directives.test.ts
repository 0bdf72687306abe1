import { expect, test } from 'vitest'
import { Directive, type NotedDirective } from './directives.ts'
import { NotedDirectives } from './noted-directives.ts'

const note = (by: string): NotedDirective => ({
  directive: new Directive('finish'),
  decision: { directive: 'finish', by, at: 'afterStep', step: 0, won: false },
})

test('directives are listed in the order they were given, until they are cleared', () => {
  const noted = new NotedDirectives()
  noted.note(note('first'))
  noted.note(note('second'), note('third'))
  expect(noted.list.map(({ decision }) => decision.by)).toEqual(['first', 'second', 'third'])
  noted.clear()
  expect(noted.list).toEqual([])
})
