import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names the set of processes that a process id is unique in: containers may share a host name, and ids begin anew at a start of the machine. */
const machine = [
  hostname(),
  factOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)),
  factOf(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
].join('~')

/** Empty on systems that do not tell it. */
function factOf(ask: () => string): string {
  try {
    return ask()
  } catch {
    return ''
  }
}

const ownNames = new Set<string>()

/** Names a chat of this process, so that others can tell whether it is alive. */
export function nameQueueOwner(): string {
  const name = `${machine}/${process.pid}/${randomUUID()}`
  ownNames.add(name)
  return name
}

/** True for a chat of this machine whose process runs. One of another machine counts as gone, which matters where nobody works on its conversation. */
export function isAlive(owner: string): boolean {
  const [place, pid] = owner.split('/')
  // The process id of one that is gone may be this one's now.
  if (place !== machine || Number(pid) === process.pid) return ownNames.has(owner)
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
