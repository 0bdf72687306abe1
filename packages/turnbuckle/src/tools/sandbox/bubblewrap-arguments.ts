import type { ConfinedPaths } from './confined-paths.ts'

/** A command in bubblewrap: its paths, and the folders of the system that are empty in it. */
export interface BubblewrapPlan extends ConfinedPaths {
  readonly cwd: string
  /** Folders that the command sees empty, with what it writes there lost at its end: `/tmp`, `/run`. */
  readonly folders: readonly string[]
  /** The proxy's socket, outside and inside. Without it there is no network. */
  readonly proxy?: { readonly outside: string; readonly inside: string }
  /** Files of the system that are seen although their folder is empty. */
  readonly seen?: readonly string[]
}

/**
 * The arguments of `bwrap`: all is there to be read, the writable folders to be written, and no process, socket or network of the
 * outside. Contract: a mount of a deeper path comes later and goes over those above it, so a workspace in `/tmp` is there.
 */
export function bubblewrapArguments(plan: BubblewrapPlan, command: readonly string[]): string[] {
  const { writable, readOnly, hidden, blocked, folders, seen = [], proxy, cwd } = plan
  const mounts: readonly (readonly [path: string, ...args: string[]])[] = [
    ['/', '--ro-bind', '/', '/'],
    ['/dev', '--dev', '/dev'],
    ['/proc', '--proc', '/proc'],
    // Bubblewrap leaves the system's own switches to root, also to one without capabilities.
    ...['/proc/sys', '/proc/sysrq-trigger'].map(path => [path, '--ro-bind-try', path, path] as const),
    ...[...folders, ...hidden].map(path => [path, '--tmpfs', path] as const),
    ...writable.map(path => [path, '--bind', path, path] as const),
    ...[...readOnly, ...seen].map(path => [path, '--ro-bind', path, path] as const),
    ...blocked.map(path => [path, '--ro-bind', '/dev/null', path] as const),
    ...(proxy ? [[proxy.inside, '--ro-bind', proxy.outside, proxy.inside] as const] : []),
  ]
  const inOrder = mounts.toSorted(([a], [b]) => depthOf(a) - depthOf(b))
  return [
    ...inOrder.flatMap(([, ...args]) => args),
    ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL', '--die-with-parent'],
    ...['--chdir', cwd, '--', ...command],
  ]
}

const depthOf = (path: string): number => path.split('/').filter(Boolean).length
