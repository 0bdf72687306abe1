import { expect, test } from 'vitest'
import { editElsewhere } from './edit-elsewhere.ts'

test('the editor may have arguments, and what it leaves is the text', async () => {
  expect(await editElsewhere('one\ntwo', { EDITOR: 'sed -i s/two/three/' })).toBe('one\nthree')
  expect(await editElsewhere('one', { EDITOR: 'false', VISUAL: 'true' })).toBe('one')
})

test('an editor that fails says so', async () => {
  await expect(editElsewhere('one', { EDITOR: 'false' })).rejects.toThrow('false ended with exit code 1.')
})
