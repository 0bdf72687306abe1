import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Modal } from './modal.tsx'

const Example = (): ReactNode =>
  createElement(Modal, { label: 'Rename', close: () => {} } as never, createElement('p', undefined, 'Words'))

test('a dialog is the platform’s, with a name; it is opened once it is on the page', () => {
  expect(draw(Example, {})).toBe('<dialog class="modal" aria-label="Rename"><p>Words</p></dialog>')
})
