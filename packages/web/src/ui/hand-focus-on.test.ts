import { afterEach, expect, test, vi } from 'vitest'
import { handFocusOn } from './hand-focus-on.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { what: 'nothing has the focus', isLost: true, hovers: true, focused: ['composer'] },
  { what: 'nothing has it, on a phone', isLost: true, hovers: false, focused: ['stage'] },
  { what: 'a control has it still', isLost: false, hovers: true, focused: [] },
])('where $what, $focused gets it', ({ isLost, hovers, focused }) => {
  const given: string[] = []
  const body = {}
  const getElementById = (id: string) => ({ focus: () => given.push(id) })
  vi.stubGlobal('document', { body, activeElement: isLost ? body : {}, getElementById })
  vi.stubGlobal('matchMedia', () => ({ matches: hovers }))
  vi.stubGlobal('requestAnimationFrame', (drawn: () => void) => drawn())
  handFocusOn()
  expect(given).toEqual(focused)
})
