import { resolve } from 'node:path'
import { analyzeCommand } from './analyze-command.ts'
import { realPlace } from './real-place.ts'

/**
 * For approval: `approval({ parts: commandParts })`. Nothing for tools other than `shell`. Another folder to run it in is a `cd` of its own:
 * `git status` means something else in a folder with settings of git that a stranger wrote. With `root`, the workspace, no name of
 * that folder is another one: `parts: call => commandParts(call, root)`.
 */
export function commandParts(
  call: { readonly name: string; readonly args: unknown },
  root?: string,
): readonly string[] | 'unknown' | undefined {
  if (call.name !== 'shell') return undefined
  const { command, cwd = '.' } = (call.args ?? {}) as { command?: unknown; cwd?: unknown }
  const parts = typeof command === 'string' ? analyzeCommand(command) : 'unknown'
  if (parts === 'unknown' || typeof cwd !== 'string') return 'unknown'
  return isRoot(cwd, root) ? parts : [`cd ${cwd}`, ...parts]
}

function isRoot(cwd: string, root: string | undefined): boolean {
  if (/^(?:\.(?:\/\.?)*)?$/.test(cwd)) return true
  if (root === undefined) return false
  const real = realPlace(resolve(root))
  return realPlace(resolve(real, cwd)) === real
}
