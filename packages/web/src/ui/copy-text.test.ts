import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page with one field at a time, whose `copy` command answers as told. */
function page(copies: boolean) {
  const copied: string[] = []
  const field = { value: '', remove: vi.fn(), select: () => copied.push(field.value) }
  const body = { append: vi.fn() }
  vi.stubGlobal('HTMLElement', class {})
  vi.stubGlobal('document', {
    activeElement: null,
    body,
    createElement: () => field,
    execCommand: () => copies,
  })
  return { copied, field }
}

test('text goes to the clipboard of the browser', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  expect(await copyText('hi')).toBe(true)
  expect(writeText).toHaveBeenCalledWith('hi')
})

test.each([
  { what: 'without a clipboard', clipboard: undefined },
  { what: 'with one that refuses', clipboard: { writeText: () => Promise.reject(new Error('no')) } },
])('$what it is copied through a field, which is gone afterwards', async ({ clipboard }) => {
  vi.stubGlobal('navigator', { clipboard })
  const { copied, field } = page(true)
  expect(await copyText('hi')).toBe(true)
  expect(copied).toEqual(['hi'])
  expect(field.remove).toHaveBeenCalled()
})

test('a browser that lets nobody copy is told', async () => {
  vi.stubGlobal('navigator', {})
  page(false)
  expect(await copyText('hi')).toBe(false)
})
