import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { initialDraft } from './field-draft.ts'
import { FieldView } from './field-view.tsx'
import { schemaFields } from './schema-fields.ts'

function drawn(schema: object, problems: Readonly<Record<string, string>> = {}) {
  const [field] = schemaFields({ schema: { properties: { it: schema } } })
  if (!field) throw new Error('The schema has no field.')
  return renderToStaticMarkup(
    createElement(FieldView, {
      field,
      draft: initialDraft(field),
      path: 'it',
      problems: new Map(Object.entries(problems)),
      change: () => {},
    }),
  )
}

test.each([
  { schema: { type: 'boolean' }, control: 'type="checkbox"' },
  { schema: { type: 'integer' }, control: 'inputMode="numeric"' },
  { schema: { type: 'string', format: 'email' }, control: 'type="email"' },
  { schema: { type: 'string', maxLength: 1000 }, control: '<textarea' },
  { schema: { enum: ['a', 'b'] }, control: '<select' },
  { schema: { type: 'array', items: { enum: ['a', 'b'] } }, control: '<fieldset' },
  { schema: {}, control: 'placeholder="JSON"' },
])('$schema is asked for with $control', ({ schema, control }) => {
  expect(drawn(schema).toLowerCase()).toContain(control.toLowerCase())
})

test('a problem takes the place of the help, and marks its control', () => {
  const schema = { type: 'string', title: 'Name', description: 'As in the passport.' }
  expect(drawn(schema)).toContain('As in the passport.')
  const html = drawn(schema, { it: 'This is needed.' })
  expect(html).toContain('aria-invalid="true"')
  expect(html).toContain('This is needed.')
  expect(html).not.toContain('As in the passport.')
})

test('an item of a list is named after the list and can be removed down to the minimum', () => {
  const list = { type: 'array', title: 'Crew', items: { type: 'string' }, minItems: 1 }
  expect(drawn({ ...list, default: ['Ada', 'Bob'] })).toContain('aria-label="Remove Crew 2"')
  expect(drawn({ ...list, default: ['Ada'] })).not.toContain('Remove Crew')
})
