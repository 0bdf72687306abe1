import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly files?: readonly string[]
}

export interface LoopbackRegistry {
  readonly url: string
  /** The names of packages whose tarballs were fetched. */
  readonly fetched: readonly string[]
  close(): void
}

/**
 * An npm registry on loopback: it has the packages of this workspace, packed, and those that are installed here. No test needs the
 * network.
 */
export async function loopbackRegistry(): Promise<LoopbackRegistry> {
  const fetched: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://registry').pathname).slice(1)
    const [, name = path, version] = /^(.+)\/-\/(.+)\.tgz$/.exec(path) ?? []
    const found = copiesOf(name)
    const folder = version === undefined ? undefined : found.get(version)
    if (folder) {
      fetched.push(name)
      response.writeHead(200, { 'content-type': 'application/octet-stream', ...kept })
      pack(folder).stdout.pipe(response)
    } else if (version === undefined && found.size) {
      response.writeHead(200, { 'content-type': 'application/json', ...kept })
      response.end(JSON.stringify(documentOf(name, found, `http://${request.headers.host}`)))
    } else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, fetched, close: () => server.close() }
}

/** npm keeps what it has fetched, so that each package is packed once. */
const kept = { 'cache-control': 'public, max-age=3600, immutable' }

const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

const packages = readdirSync(join(root, 'packages')).map(one => join(root, 'packages', one))
/** Folders that may hold packages of their own. */
const hosts = [root, ...packages, ...installed().map(one => join(root, 'node_modules', one))].filter(host =>
  existsSync(join(host, 'node_modules')),
)

/** The folders of a package by version: in the workspace, and inside of other packages. */
function copiesOf(name: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const host of hosts) {
    const folder = join(host, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) found.set(read(folder).version, realpathSync(folder))
  }
  for (const folder of packages) if (read(folder).name === name) found.set(read(folder).version, folder)
  return found
}
function installed(): string[] {
  return readdirSync(join(root, 'node_modules')).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(root, 'node_modules', name)).map(one => `${name}/${one}`) : [name],
  )
}

function documentOf(name: string, found: ReadonlyMap<string, string>, url: string): object {
  const versions = Object.fromEntries(
    Array.from(found, ([version, folder]) => {
      const { devDependencies: _dev, ...manifest } = read(folder) as Manifest & { devDependencies?: object }
      return [version, { ...manifest, dist: { tarball: `${url}/${name}/-/${version}.tgz` } }]
    }),
  )
  return { name, 'dist-tags': { latest: [...found.keys()].at(-1) }, versions }
}

/** A tarball as `npm pack` makes it: of our own packages only what they publish. */
function pack(folder: string) {
  const { files } = read(folder)
  const isOurs = !folder.includes('node_modules')
  const names = isOurs && files ? ['package.json', 'README.md', 'LICENSE', ...files] : ['.']
  const rename = ['--transform=s,^\\./,,', '--transform=s,^,package/,', '--exclude=./node_modules']
  return spawn('tar', ['-c', ...rename, ...names], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
