import { afterEach, expect, test, vi } from 'vitest'
import { saveAs } from './save-as.ts'

afterEach(() => vi.unstubAllGlobals())

test('an address is saved under its name by a link that is pressed', () => {
  const link = { href: '', download: '', click: vi.fn() }
  vi.stubGlobal('document', { createElement: () => link })
  saveAs('blob:1', 'map.png')
  expect(link).toMatchObject({ href: 'blob:1', download: 'map.png' })
  expect(link.click).toHaveBeenCalledOnce()
})
