import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** What Linux says; other systems say nothing. */
function said(ask: () => string): string {
  try {
    return ask().trim()
  } catch {
    return ''
  }
}

/** Where a process id means the same as here. Machines and containers may share a name, but not the processes. */
const here = [
  hostname(),
  said(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).slice(0, 8),
  said(() => readlinkSync('/proc/self/ns/pid')).replace(/\D/g, ''),
]
  .filter(Boolean)
  .join('~')

/** Who holds a conversation: machine, process, and a number that tells two stores of one process apart. */
export const newHolder = (): string => `${here}/${process.pid}/${Math.random().toString(36).slice(2, 8)}`

/** Whether the process behind a holder may still run. One that is elsewhere may; a dead one here may not. */
export function isAlive(holder: string): boolean {
  const [machine, pid] = holder.split('/')
  if (machine !== here) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
