import { expect, test } from 'vitest'
import { findAll } from './detect.ts'
import { type PersonalKind, personal } from './personal.ts'

const found = (kind: PersonalKind, text: string) =>
  findAll(text, personal[kind]).map(({ start, end }) => text.slice(start, end))

test.each<[PersonalKind, string, string]>([
  ['email', 'write to ada@example.co.uk.', 'ada@example.co.uk'],
  ['card', 'card 4111 1111 1111 1111 it is', '4111 1111 1111 1111'],
  ['card', 'card 4111-1111-1111-1111', '4111-1111-1111-1111'],
  ['ssn', 'ssn 123-45-6789', '123-45-6789'],
  ['phone', 'call +49 30 1234567', '+49 30 1234567'],
  ['phone', 'call (212) 555-0100', '(212) 555-0100'],
  ['ip', 'from 192.168.0.1.', '192.168.0.1'],
  ['ip', 'from 2001:db8::8a2e:370:7334', '2001:db8::8a2e:370:7334'],
])('%s is found in "%s"', (kind, text, value) => {
  expect(found(kind, text)).toEqual([value])
})

test.each<[PersonalKind, string]>([
  ['email', 'a @ b'],
  ['card', 'order 4111 1111 1111 1112'],
  ['card', '0000000000000000'],
  ['ssn', '000-12-3456'],
  ['ssn', '123456789'],
  ['phone', 'in 2026-11-17'],
  ['ip', 'version 1.2.3'],
  ['ip', '300.1.1.1'],
  ['ip', 'at 12:30:45'],
  ['ip', 'std::vector'],
])('%s is not found in "%s"', (kind, text) => {
  expect(found(kind, text)).toEqual([])
})
