/** Who holds a conversation: machine, process, and a number that tells two stores of one process apart. */
export const newHolder = (host: string, pid: number): string =>
  `${host}/${pid}/${Math.random().toString(36).slice(2, 8)}`

/** Whether the process behind a holder may still run. One on another machine may; a dead one here may not. */
export function isAlive(holder: string, host: string): boolean {
  const [machine, pid] = holder.split('/')
  if (machine !== host) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
