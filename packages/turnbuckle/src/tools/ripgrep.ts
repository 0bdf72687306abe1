import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { Match, Search } from './search.ts'

/** The path of ripgrep, if it is installed. */
export function findRipgrep(path: string = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .map(folder => join(folder, process.platform === 'win32' ? 'rg.exe' : 'rg'))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Matches as ripgrep reports them. Ending the loop early, or the signal, ends the process. */
export async function* ripgrep(
  program: string,
  root: string,
  where: string,
  search: Search,
  signal: AbortSignal,
): AsyncGenerator<Match> {
  signal.throwIfAborted()
  // A configuration file could name a program to run on each file.
  const env = { PATH: process.env.PATH ?? '' }
  const child = spawn(program, [...options(search), '-e', search.pattern, '--', where], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: root,
    env,
    signal,
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 1000)
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  ended.catch(() => {})
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const match = read(line)
      if (match) yield match
    }
    if ((await ended) === 2 && complaint) throw new TurnbuckleError('search.failed', complaint.trim())
  } finally {
    child.kill('SIGKILL')
  }
}

const options = ({ glob, literal, ignoreCase }: Search): string[] => [
  '--json',
  '--no-config',
  '--no-ignore',
  '--hidden',
  '--no-follow',
  '--sort=path',
  '--max-columns=2000',
  ...(glob ? ['--glob', glob.includes('/') ? `/${glob}` : glob] : []),
  ...['.git', 'node_modules'].flatMap(name => ['--glob', `!**/${name}/**`]),
  ...(literal ? ['--fixed-strings'] : []),
  ...(ignoreCase ? ['--ignore-case'] : []),
]

interface Report {
  readonly type: string
  readonly data: {
    readonly path?: { readonly text?: string }
    readonly line_number?: number
    readonly lines?: { readonly text?: string }
  }
}

function read(line: string): Match | undefined {
  const { type, data } = JSON.parse(line) as Report
  if (type !== 'match' || !data.path?.text || data.lines?.text === undefined) return undefined
  return { path: data.path.text, line: data.line_number ?? 0, text: data.lines.text.replace(/\r?\n$/, '') }
}
