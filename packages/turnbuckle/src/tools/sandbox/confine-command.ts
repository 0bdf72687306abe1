import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'
import { confinedPaths, isThere } from './confined-paths.ts'
import type { FoundSandbox, SystemSandbox } from './find-sandbox.ts'
import { hostList } from './host-list.ts'
import { leaveGitAlone } from './leave-git-alone.ts'
import { listeningSockets } from './listening-sockets.ts'
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts'
import { relayScript } from './relay-script.ts'
import { seatbeltArguments } from './seatbelt-arguments.ts'

/** Options of the sandbox that commands run in. */
export interface SandboxOptions {
  /**
   * Hosts that commands reach by http and https: `registry.npmjs.org`, `*.example.org`, `127.0.0.1:3000`, `*` for all of the internet.
   * None by default.
   */
  readonly network?: readonly string[]
  /** Folders besides the workspace that commands write to; `~/` is the home folder. None by default. */
  readonly write?: readonly string[]
  /** Folders and files that commands see empty. */
  readonly hide?: readonly string[]
  /** Runs no command where the system has no sandbox. Off by default: commands run without one there. */
  readonly required?: boolean
  /** Told why, whenever a command runs without a sandbox because the system has none. */
  readonly onMissing?: (reason: string) => void
  /** The sandbox to use. The one that `findSandbox()` finds by default. */
  readonly system?: FoundSandbox
}

interface PlainCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Real paths. */
  readonly cwd: string
  readonly root: string
}

/** A command line that starts a command in the sandbox. */
interface ConfinedCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Ends what serves the command; to be called when it has ended. */
  release(): Promise<void>
}

/** Makes a command one that runs in the sandbox: writes only in its folders, reaches only its hosts. */
export const confineCommand = (
  sandbox: SystemSandbox,
  command: PlainCommand,
  options: SandboxOptions = {},
): Promise<ConfinedCommand> => confine[sandbox.kind](sandbox.program, command, options)

const confine = { bubblewrap: inBubblewrap, seatbelt: inSeatbelt }

/** Folders of the system with sockets of programs outside, and with files that others left. */
const emptied = ['/tmp', '/var/tmp', '/run']
/** Where NixOS has its programs. */
const seenInRun = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']
const proxyInside = '/tmp/.turnbuckle/proxy.sock'

async function inBubblewrap(program: string, command: PlainCommand, options: SandboxOptions): Promise<ConfinedCommand> {
  const { root, cwd, env } = command
  const { network = [], write = [], hide = [] } = options
  const paths = await confinedPaths({ root, write, hide })
  const folders = await existing(emptied)
  const blocked = [...paths.blocked, ...(await listeningSockets([...folders, ...paths.writable, ...paths.hidden]))]
  const plan = { ...paths, blocked, folders, cwd, seen: await existing(seenInRun) }
  const { SSH_AUTH_SOCK: _, ...rest } = env
  const own = { ...rest, TMPDIR: '/tmp' }
  const line = [command.program, ...command.args]
  // A mount keeps nobody from making a file that is not there.
  const release = () => leaveGitAlone(paths)
  if (!network.length) return { program, args: bubblewrapArguments(plan, line), env: own, release }
  const folder = await mkdtemp(join(tmpdir(), 'turnbuckle-proxy-'))
  const outside = join(folder, 'proxy.sock')
  const proxy = await startNetworkProxy({ hosts: hostList(network), socket: outside })
  const node = await realpath(process.execPath)
  const seen = [...plan.seen, ...(folders.some(one => node.startsWith(one + sep)) ? [node] : [])]
  const relayed = [node, '-e', relayScript, proxyInside, ...line]
  return {
    program,
    args: bubblewrapArguments({ ...plan, seen, proxy: { outside, inside: proxyInside } }, relayed),
    env: { ...own, ...proxyEnvironment(network) },
    async release() {
      try {
        await release()
      } finally {
        await proxy.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function inSeatbelt(program: string, command: PlainCommand, options: SandboxOptions): Promise<ConfinedCommand> {
  const { network = [], write = [], hide = [] } = options
  // A folder of its own: other programs have their sockets and files in the common one.
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'turnbuckle-tmp-')))
  const paths = await confinedPaths({ root: command.root, write: [...write, temporary], hide })
  const proxy: NetworkProxy | undefined = network.length
    ? await startNetworkProxy({ hosts: hostList(network) })
    : undefined
  const line = [command.program, ...command.args]
  const proxied = proxy ? { ...proxyEnvironment(network), ...proxyAddress(proxy.port ?? 0) } : {}
  return {
    program,
    args: seatbeltArguments(paths, proxy?.port, line),
    env: { ...command.env, TMPDIR: temporary, ...proxied },
    async release() {
      await proxy?.close()
      await rm(temporary, { recursive: true, force: true })
    },
  }
}

/** Variables that common programs read the proxy's address from. In bubblewrap the relay sets them. */
const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']
const proxyAddress = (port: number): Record<string, string> =>
  Object.fromEntries(proxyVariables.map(name => [name, `http://127.0.0.1:${port}`]))

/** A command's own servers are reached directly, unless the list names those of the machine. */
function proxyEnvironment(network: readonly string[]): Record<string, string> {
  const own = ['localhost', '127.0.0.1', '::1'].filter(
    host => !network.some(entry => entry.replace(/:\d+$/, '') === host),
  )
  return { NO_PROXY: own.join(','), no_proxy: own.join(','), NODE_USE_ENV_PROXY: '1' }
}

const existing = async (paths: readonly string[]): Promise<string[]> => {
  const there = await Promise.all(paths.map(isThere))
  return paths.filter((_path, i) => there[i])
}
