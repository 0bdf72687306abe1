import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { loadTraced, type TracedModule } from './trace-calls.ts'

const page = readFileSync(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8')

/** The hops of a walk as calls are noted: `packages/x/src/file.ts name`. */
function hopsOf(title: string): string[] {
  const section = page.split(/^#+ /m).find(part => part.startsWith(`${title}\n`)) ?? ''
  return [...section.matchAll(/^\d+\. `([^`]+)` → `([^`(]+)\(\)`/gm)].map(([, path = '', name]) =>
    path.startsWith('server/')
      ? `packages/server/src/${path.slice('server/'.length)} ${name}`
      : `packages/turnbuckle/src/${path} ${name}`,
  )
}

/** The first hop that was not called after the one before it. */
function firstMissing(hops: readonly string[], calls: readonly string[]): string | undefined {
  let at = 0
  return hops.find(hop => {
    const found = calls.indexOf(hop, at)
    at = found + 1
    return found < 0
  })
}

type Program = (begin: () => void) => Promise<string | undefined>
let traced: TracedModule<Record<string, Program>>
beforeAll(async () => {
  traced = await loadTraced(new URL('./walk-programs.ts', import.meta.url))
})

test.each([
  { title: 'One message', program: 'message', gives: 'Three.', least: 20 },
  { title: 'One approval', program: 'approval', gives: 'completed', least: 12 },
  { title: 'One resume', program: 'resume', gives: 'Three.', least: 12 },
  { title: 'One rewind', program: 'rewinding', gives: 'Three.', least: 10 },
])('$title calls every function of its walk, in that order', async ({ title, program, gives, least }) => {
  const { exports, calls } = traced
  const begin = () => calls.splice(0)
  begin()
  expect(await exports[program]?.(begin)).toBe(gives)
  const hops = hopsOf(title)
  expect(hops.length).toBeGreaterThanOrEqual(least)
  expect(firstMissing(hops, calls)).toBeUndefined()
})

test('a hop that was called before the one that precedes it counts as missing', () => {
  expect(firstMissing(['a', 'b'], ['b', 'a'])).toBe('b')
  expect(firstMissing(['a', 'b'], ['a', 'x', 'b'])).toBeUndefined()
})

test('every source file that the page names is there', () => {
  const rooms = [...page.matchAll(/^\| `([\w/-]+)\/?` \|[^|]*\| ([^|]*) \|$/gm)]
  expect(rooms.length).toBeGreaterThan(15)
  const named = rooms.flatMap(([, room = '', files = '']) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => [room.replace(/\/$/, ''), file]),
  )
  const base = new URL('../../../../', import.meta.url)
  const places = (room: string) => [
    `packages/turnbuckle/src/core/${room}`,
    `packages/turnbuckle/src/${room}`,
    `${room}/src`,
  ]
  const isThere = (room: string, file: string) =>
    [...places(room), 'packages/turnbuckle/src/core'].some(place => existsSync(new URL(`${place}/${file}`, base)))
  expect(named.filter(([room = '', file = '']) => !isThere(room, file))).toEqual([])
})

test('every source file in the table of changes is there', () => {
  const section = page.split(/^## /m).find(part => part.startsWith('Twelve changes\n')) ?? ''
  const paths = [...section.matchAll(/`([a-z][a-z/-]+\/[a-z-]+[.]ts)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(12)
  const base = new URL('../../../../', import.meta.url)
  const isThere = (path: string) =>
    ['', 'packages/turnbuckle/src/'].some(place => existsSync(new URL(place + path, base)))
  expect(paths.filter(path => !isThere(path))).toEqual([])
})
