import { expect, test } from 'vitest'
import { LiveConnections } from './live-connections.ts'

test('a sweep ends the connections that may not stay, once', () => {
  const connections = new LiveConnections()
  const ended: string[] = []
  let may = true
  connections.add({ mayStay: () => may, end: () => ended.push('bob') })
  connections.add({ mayStay: () => true, end: () => ended.push('ada') })
  connections.sweep()
  may = false
  connections.sweep()
  connections.sweep()
  expect(ended).toEqual(['bob'])
})

test('a connection that has closed is forgotten', () => {
  const connections = new LiveConnections()
  const ended: string[] = []
  const forget = connections.add({ mayStay: () => false, end: () => ended.push('bob') })
  forget()
  connections.sweep()
  expect(ended).toEqual([])
})
