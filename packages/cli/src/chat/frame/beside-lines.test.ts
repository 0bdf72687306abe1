import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { besideLines } from './beside-lines.ts'

useNoColours()

const command = (output?: string) => ({ name: '$ npm test', end() {}, ...(output === undefined ? {} : { output }) })

test('of a command of the person’s own the last lines are shown while it runs', () => {
  const beside = [command('one\ntwo\nthree\nfour\nfive\nsix\n')]
  expect(besideLines({ beside }, 30, 20)).toEqual(['', '…', '  three', '  four', '  five', '  six'])
  expect(besideLines({ beside }, 30, 2)).toEqual(['  five', '  six'])
  expect(besideLines({ beside }, 30, 0)).toEqual([])
})

test('one that has written nothing has no lines, and a line that is too long is cut', () => {
  expect(besideLines({ beside: [command(), command('\n')] }, 30, 20)).toEqual([])
  expect(besideLines({ beside: [command('a line that is too long')] }, 12, 20)).toEqual(['', '  a line th…'])
})
