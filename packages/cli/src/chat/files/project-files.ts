import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fuzzyRank } from '../menu/fuzzy-rank.ts'

/** Milliseconds that a list of files is good for: it is asked for at every letter. */
const freshMs = 5000
const mostFiles = 20_000

/** Finds files of a project by letters of their path. */
export class ProjectFiles {
  readonly #root: string
  readonly #now: () => number
  #paths: readonly string[] = []
  #readAt = Number.NEGATIVE_INFINITY

  constructor(root: string, now: () => number = Date.now) {
    this.#root = root
    this.#now = now
  }

  find(query: string, most = 50): readonly string[] {
    if (this.#now() - this.#readAt > freshMs) {
      this.#paths = trackedFiles(this.#root) ?? walk(this.#root)
      this.#readAt = this.#now()
    }
    return fuzzyRank(this.#paths, query, path => path, most)
  }
}

/** Files that git knows or would; undefined where there is no git, or no repository. */
function trackedFiles(root: string): readonly string[] | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 2000,
    maxBuffer: 20_000_000,
  })
  return status === 0 ? stdout.split('\0').filter(Boolean).slice(0, mostFiles) : undefined
}

/** Files of a folder and those below it, without hidden ones. */
function walk(root: string): readonly string[] {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.shift(); folder !== undefined && found.length < mostFiles; folder = folders.shift())
    for (const entry of entriesOf(join(root, folder))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`)
      else if (entry.isFile()) found.push(`${folder}${entry.name}`)
    }
  return found.sort()
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
