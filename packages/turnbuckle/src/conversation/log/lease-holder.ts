import { isNode, nodeModule } from '../platform/node-module.ts'

/** A fact of the machine; empty on systems that do not tell it. */
function factOf(ask: () => string): string {
  try {
    return ask().trim()
  } catch {
    return ''
  }
}

const random = (): string => Math.random().toString(36).slice(2, 8)

/** Names the set of processes that this process id is unique in: machines and containers may share a host name. */
const here = isNode ? nameMachine() : `browser~${random()}`

function nameMachine(): string {
  return [
    factOf(() => nodeModule('node:os').hostname()),
    factOf(() => nodeModule('node:fs').readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).slice(0, 8),
    factOf(() => nodeModule('node:fs').readlinkSync('/proc/self/ns/pid')).replace(/\D/g, ''),
  ]
    .filter(Boolean)
    .join('~')
}

/** Names a holder of leases: machine, process, and a random part that tells two stores of one process apart. */
export const newHolder = (): string => `${here}/${isNode ? process.pid : 0}/${random()}`

/** False only for a holder whose process ran on this machine and has ended; processes elsewhere count as alive. */
export function isAlive(holder: string): boolean {
  const [machine, pid] = holder.split('/')
  if (machine !== here || !isNode) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
