import { execFile } from 'node:child_process'

/** Settings of a repository that name programs which a look at its files would run. */
const programs = '^(core\\.fsmonitor|filter\\..*\\.(clean|process))$'

/**
 * The number of files of a repository that are not as they were committed, new ones among them; a new folder counts as one. Undefined where git is missing or
 * slow, and in a repository that has programs of its own for this: nobody was asked whether those may run.
 */
export async function gitChanges(root: string, patienceMs = 1000): Promise<number | undefined> {
  const signal = AbortSignal.timeout(patienceMs)
  const own = await git(root, ['config', '--local', '--includes', '--name-only', '--get-regexp', programs], signal)
  if (own?.code !== 1) return undefined
  const status = await git(root, ['status', '--porcelain', '--no-renames', '--ignore-submodules=all'], signal)
  return status?.code === 0 ? status.stdout.split('\n').filter(Boolean).length : undefined
}

/** Takes no lock: the person may be using git at the same time. Undefined where it could not run to its end. */
const git = (
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly stdout: string } | undefined> =>
  new Promise(resolve => {
    const options = { cwd, signal, killSignal: 'SIGKILL', env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } } as const
    execFile('git', args, options, (error, stdout) => {
      const code = error ? error.code : 0
      resolve(typeof code === 'number' ? { code, stdout } : undefined)
    })
  })
