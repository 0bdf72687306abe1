import { posix } from 'node:path'
import type { ConfinedPaths } from './confined-paths.ts'

/** The devices that a command writes to although they lie outside of its folders. */
const devices = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper']

/**
 * The arguments of `sandbox-exec`: a profile in which the last rule that fits counts. Sockets of the file system are part of
 * `network*`; asking other programs to act (Apple events, `open`) is refused, since those are outside.
 */
export function seatbeltArguments(
  { writable, readOnly, hidden, blocked, unwanted, links }: ConfinedPaths,
  proxyPort: number | undefined,
  command: readonly string[],
): string[] {
  const guarded = [...readOnly, ...unwanted, ...links.map(({ path }) => path)]
  const profile = [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    ...(proxyPort === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`]),
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny file-write*)',
    `(allow file-write* ${devices.map(path => `(literal ${quote(path)})`).join(' ')})`,
    ...writable.map(path => `(allow file-write* (subpath ${quote(path)}))`),
    ...foldersOver([...guarded, ...hidden, ...blocked], writable).map(
      path => `(deny file-write-unlink (literal ${quote(path)}))`,
    ),
    ...guarded.map(path => `(deny file-write* (subpath ${quote(path)}))`),
    ...[...hidden, ...blocked].map(path => `(deny file-read* file-write* (subpath ${quote(path)}))`),
  ]
  return ['-p', profile.join('\n'), ...command]
}

/**
 * The writable folders that lead to these paths. Moved aside with what is guarded in it, such a folder would make room for one with
 * other hooks: rules go by path.
 */
function foldersOver(paths: readonly string[], writable: readonly string[]): string[] {
  const isWritable = (path: string) => writable.some(folder => path === folder || path.startsWith(`${folder}/`))
  const over = (path: string): string[] => {
    const folder = posix.dirname(path)
    return folder !== path && isWritable(folder) ? [folder, ...over(folder)] : []
  }
  return [...new Set(paths.flatMap(over))]
}

/** A text of the profile's language. */
const quote = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&')}"`
