import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { PeopleSection } from './people-section.tsx'

test('a person can be made before the list is there', () => {
  const html = draw(PeopleSection, {})
  expect(html).toMatch(/aria-label="Make a person".*Loading …/s)
})
