import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'
import { seatbeltArguments } from './seatbelt-arguments.ts'

/** A sandbox that the system brings: bubblewrap on Linux, Seatbelt on macOS. */
export interface SystemSandbox {
  /** bubblewrap of Linux, or macOS's own. */
  readonly kind: 'bubblewrap' | 'seatbelt'
  /** The path of the program that starts others in the sandbox. */
  readonly program: string
}

/** The sandbox of this system, or why there is none and what would help. */
export type FoundSandbox = SystemSandbox | { readonly kind: 'none'; readonly reason: string }

/** The system to look at; for tests. */
interface SystemPlaces {
  readonly platform: NodeJS.Platform
  readonly folders: readonly string[]
}

/** Not PATH: a project's `node_modules/.bin` is in it under npm, and a project shall not bring its own sandbox. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/wrappers/bin', '/run/current-system/sw/bin']

let found: Promise<FoundSandbox> | undefined

/** Looks for the sandbox of this system and tries it, once in a process. */
export const findSandbox = (): Promise<FoundSandbox> => {
  found ??= lookForSandbox({ platform: process.platform, folders: systemFolders })
  return found
}

const kinds = {
  linux: { kind: 'bubblewrap', name: 'bwrap', missing: 'bubblewrap (bwrap) is not installed' },
  darwin: { kind: 'seatbelt', name: 'sandbox-exec', missing: 'sandbox-exec is not there' },
} as const

/** Finds the program and runs `true` in it: bubblewrap may be there where the system forbids user namespaces. */
export async function lookForSandbox({ platform, folders }: SystemPlaces): Promise<FoundSandbox> {
  const wanted = platform === 'linux' || platform === 'darwin' ? kinds[platform] : undefined
  if (!wanted) return { kind: 'none', reason: `no sandbox of ${platform} is supported` }
  const { kind, name, missing } = wanted
  const program = await firstProgram(folders.map(folder => join(folder, name)))
  if (program === undefined) return { kind: 'none', reason: missing }
  const failure = await failureOf(program, tryingArguments[kind]())
  return failure === undefined ? { kind, program } : { kind: 'none', reason: `${name} does not work here: ${failure}` }
}

const nothing = { writable: [], readOnly: [], hidden: [], blocked: [], unwanted: [], links: [] }
const tryingArguments = {
  bubblewrap: () => bubblewrapArguments({ ...nothing, cwd: '/', folders: ['/tmp'] }, ['true']),
  seatbelt: () => seatbeltArguments(nothing, undefined, ['/usr/bin/true']),
}

async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isProgram) return path
  }
  return undefined
}

/** Milliseconds for the trial. Long: on a busy machine a sandbox that works must not count as none. */
const patienceMs = 60_000

const failureOf = (program: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise(resolve => {
    execFile(program, args, { timeout: patienceMs }, (error, _output, stderr) =>
      resolve(error ? stderr.trim().split('\n')[0] || error.message : undefined),
    )
  })
