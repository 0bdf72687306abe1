import type { MouseEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { followLinkHere } from './follow-link-here.ts'

test.each(['metaKey', 'ctrlKey', 'shiftKey', 'altKey'])('with %s the browser opens the link itself', key => {
  const preventDefault = vi.fn()
  followLinkHere({ [key]: true, preventDefault } as unknown as MouseEvent, 'c')
  expect(preventDefault).not.toHaveBeenCalled()
})
