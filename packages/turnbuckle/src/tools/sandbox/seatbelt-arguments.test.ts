import { expect, test } from 'vitest'
import { seatbeltArguments } from './seatbelt-arguments.ts'

const paths = { writable: ['/Users/ann/a "b" \\c'], readOnly: [], hidden: [], blocked: [], unwanted: [], links: [] }
const profileOf = (...given: Parameters<typeof seatbeltArguments>) => seatbeltArguments(...given)[1]?.split('\n') ?? []

test('writing and the network are denied, and then the workspace is allowed, its name quoted', () => {
  const profile = profileOf(paths, undefined, ['/bin/sh'])
  const denied = profile.indexOf('(deny file-write*)')
  expect(denied).toBeGreaterThan(0)
  expect(profile.indexOf('(allow file-write* (subpath "/Users/ann/a \\"b\\" \\\\c"))')).toBeGreaterThan(denied)
  expect(profile).toContain('(deny network*)')
  expect(profile.join()).not.toContain('network-outbound')
})

test("git's hooks are denied after the workspace is allowed: the last rule counts", () => {
  const profile = profileOf({ ...paths, writable: ['/w'], readOnly: ['/w/.git/hooks'], hidden: ['/h'] }, undefined, [])
  expect(profile.slice(-5)).toEqual([
    '(allow file-write* (subpath "/w"))',
    '(deny file-write-unlink (literal "/w/.git"))',
    '(deny file-write-unlink (literal "/w"))',
    '(deny file-write* (subpath "/w/.git/hooks"))',
    '(deny file-read* file-write* (subpath "/h"))',
  ])
})

test('no folder between a writable one and what is guarded in it can be moved aside', () => {
  const readOnly = ['/w/a/.git/hooks', '/w/a/.git/config', '/elsewhere/x']
  const given = { ...paths, writable: ['/w', '/w/a/.git', '/o'], readOnly, unwanted: ['/o/.git/commondir'], hidden: [] }
  const kept = profileOf(given, undefined, []).filter(line => line.includes('unlink'))
  expect(kept).toEqual(
    ['/w/a/.git', '/w/a', '/w', '/o/.git', '/o'].map(path => `(deny file-write-unlink (literal "${path}"))`),
  )
})

test('a file that must not come to be is denied as those are that are there', () => {
  const profile = profileOf({ ...paths, unwanted: ['/w/.git/commondir'] }, undefined, [])
  expect(profile.at(-1)).toBe('(deny file-write* (subpath "/w/.git/commondir"))')
})

test('a link to settings of git is not exchanged', () => {
  const link = { path: '/w/.git/config', target: '../settings', file: undefined }
  expect(profileOf({ ...paths, links: [link] }, undefined, []).at(-1)).toBe(
    '(deny file-write* (subpath "/w/.git/config"))',
  )
})

test('with a list of hosts only the port of the proxy is reached', () => {
  const profile = profileOf(paths, 4711, [])
  expect(profile.indexOf('(allow network-outbound (remote ip "localhost:4711"))')).toBe(
    profile.indexOf('(deny network*)') + 1,
  )
})

test('the command follows the profile as it is', () => {
  expect(seatbeltArguments(paths, undefined, ['/bin/sh', '-c', 'a "b"']).slice(2)).toEqual(['/bin/sh', '-c', 'a "b"'])
})
