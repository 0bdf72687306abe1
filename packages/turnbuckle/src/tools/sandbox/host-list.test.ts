import { expect, test } from 'vitest'
import { hostList } from './host-list.ts'

test.each<[list: string[], host: string, port: number, allowed: boolean]>([
  [[], 'example.org', 443, false],
  [['example.org'], 'example.org', 443, true],
  [['example.org'], 'EXAMPLE.org', 8080, true],
  [['Example.org'], 'example.org', 80, true],
  [['example.org'], 'www.example.org', 443, false],
  [['example.org'], 'notexample.org', 443, false],
  [['*.example.org'], 'a.b.example.org', 443, true],
  [['*.example.org'], 'example.org', 443, false],
  [['*.example.org'], 'evilexample.org', 443, false],
  [['example.org:443'], 'example.org', 80, false],
  [['*'], 'anything.at.all', 1, true],
  [['*.1'], '10.0.0.1', 80, false],
  [['[::1]:3000'], '::1', 3000, true],
])('%j allows %s:%i: %s', (list, host, port, allowed) => expect(hostList(list).allows(host, port)).toBe(allowed))

test.each<[list: string[], address: string, port: number, reached: boolean]>([
  [['*'], '93.184.216.34', 443, true],
  [['*'], '127.0.0.1', 443, false],
  [['*'], '169.254.169.254', 80, false],
  [['intern.example', '10.1.2.3'], '10.1.2.3', 443, true],
  [['intern.example', '10.1.2.3:80'], '10.1.2.3', 443, false],
  [['localhost:3000'], '127.0.0.1', 3000, true],
  [['localhost:3000'], '::1', 3000, true],
  [['localhost:3000'], '127.0.0.1', 22, false],
  [['localhost'], '10.0.0.1', 80, false],
])('%j reaches the address %s:%i: %s', (list, address, port, reached) =>
  expect(hostList(list).reaches(address, port)).toBe(reached),
)

test.each(['https://example.org', 'example.org/path', '', 'a b', '*example.org', 'a.*.b', 'example.org:port'])(
  '%j is no host, and the error says how to write one',
  text => expect(() => hostList([text])).toThrow(/names no host\. Write "example\.org"/),
)
