import { expect, test } from 'vitest'
import { draw } from '../test/draw.ts'
import { SignIn } from './sign-in.tsx'

test('a refused token is told as an alert; without one the page says what to do', () => {
  expect(draw(SignIn, { refused: true })).toContain('role="alert">That token is not valid here')
  expect(draw(SignIn, { refused: false })).toContain('Open the address that the server printed')
})

test('what is pasted is not shown, nor kept by the browser', () => {
  expect(draw(SignIn, { refused: false })).toMatch(/id="token" type="password" autoComplete="off"/)
})
