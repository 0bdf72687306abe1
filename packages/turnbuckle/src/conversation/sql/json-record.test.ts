import { expect, test } from 'vitest'
import { bodyJson, JsonRecord } from './json-record.ts'

const head = { seq: 1, turn: 't', type: 'my.event' }

test('a record that came as JSON is kept as it came, and has its body', () => {
  const record = new JsonRecord(head, '{"at": 1}')
  expect(record).toMatchObject({ ...head, body: { at: 1 } })
  expect(bodyJson(record)).toBe('{"at": 1}')
})

test('the body of any other record is made into JSON', () => {
  expect(bodyJson({ ...head, body: { at: 1, left: undefined } })).toBe('{"at":1}')
})
