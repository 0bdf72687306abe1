import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { noteServerTime, serverNow } from './server-now.ts'
import { useServerNow } from './use-server-now.ts'

const Now = (): ReactNode => createElement('i', undefined, useServerNow(false))

test('time is the server’s from the first drawing on', () => {
  noteServerTime(Date.now() + 3_600_000)
  const shown = Number(/\d+/.exec(draw(Now, {}))?.[0])
  expect(Math.abs(shown - serverNow())).toBeLessThan(60_000)
})
