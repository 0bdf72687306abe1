import { readFile, stat } from 'node:fs/promises'
import { sep } from 'node:path'

/**
 * Sockets in the file system that programs listen at, but for those below the given folders. Linux only. A read-only mount does not
 * keep anyone from connecting: through the socket of a container engine or an agent of keys a command would be outside.
 */
export async function listeningSockets(except: readonly string[], table = '/proc/net/unix'): Promise<string[]> {
  const lines = await readFile(table, 'utf8').catch(() => '')
  const paths = new Set(lines.split('\n').flatMap(line => line.match(/^(?:\S+ +){7}(\/.*)$/)?.[1] ?? []))
  const outside = [...paths].filter(path => !except.some(folder => path.startsWith(folder + sep)))
  const isSocket = await Promise.all(
    outside.map(path =>
      stat(path).then(
        stats => stats.isSocket(),
        () => false,
      ),
    ),
  )
  return outside.filter((_path, i) => isSocket[i])
}
