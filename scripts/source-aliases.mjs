// The public names of our packages, each with its source: for esbuild, so that a program needs no build of them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every door of the library, the server and the runner of a cluster, as `alias` of esbuild takes them.
 * `root` is the workspace's folder: a program that is bundled itself knows it better than this file.
 */
export function sourceAliases(root) {
  const source = path => join(root, 'packages', path)
  const sourceOfDoor = door => {
    const file = source(`turnbuckle/src/${door}.ts`)
    return existsSync(file) ? file : source(`turnbuckle/src/${door}/index.ts`)
  }
  const { exports } = JSON.parse(readFileSync(source('turnbuckle/package.json'), 'utf8'))
  const doors = Object.keys(exports)
    .map(name => name.slice('./'.length))
    .filter(door => door && door !== 'package.json')
  return {
    '@turnbuckle/server': source('server/src/index.ts'),
    '@turnbuckle/restate': source('restate/src/index.ts'),
    turnbuckle: source('turnbuckle/src/index.ts'),
    ...Object.fromEntries(doors.map(door => [`turnbuckle/${door}`, sourceOfDoor(door)])),
  }
}
