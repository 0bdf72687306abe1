import { expect, test } from 'vitest'
import { z } from 'zod'
import { fit } from './schema-fit.ts'

const crew = z.object({ crew: z.array(z.object({ name: z.string() })), port: z.string().default('Kiel') })

test('a value that fits is given as its schema parses it', async () => {
  expect(await fit(crew, { crew: [{ name: 'Ada' }] })).toEqual({ value: { crew: [{ name: 'Ada' }], port: 'Kiel' } })
})

test('a problem names the place', async () => {
  expect(await fit(crew, { crew: [{ name: 1 }] })).toEqual({ problem: expect.stringMatching(/^crew\.0\.name: /) })
})
