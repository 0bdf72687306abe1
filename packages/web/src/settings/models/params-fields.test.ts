import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { paramsDraft } from './params-draft.ts'
import { ParamsFields } from './params-fields.tsx'

const given = { scope: 'all', draft: paramsDraft({ temperature: 0.2 }), write: () => {}, otherwise: 'The model’s own' }

test('a fixed parameter cannot be written, and says who fixes it', () => {
  const sources = { 'params.temperature': { from: 'project', place: 'a.json:3', fixed: true } } as const
  const html = draw(ParamsFields, { ...given, sources })
  expect(html).toMatch(/id="all-temperature"[^>]*readOnly=""/)
  expect(html).toContain('Fixed by the project: a.json:3')
})

test('an empty field says what counts then', () => {
  expect(draw(ParamsFields, given)).toMatch(/id="all-topP"[^>]*placeholder="The model’s own"/)
})
