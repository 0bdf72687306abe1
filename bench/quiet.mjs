import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 150
const BUSY = 0.15

/**
 * Waits until others leave the processors alone, but in all no longer than `patienceMs`.
 * `gaveUp` counts the measurements that began on a busy machine.
 */
export function createQuiet(patienceMs) {
  let left = patienceMs
  const quiet = {
    gaveUp: 0,
    async wait() {
      while ((await busyShare()) > BUSY) {
        left -= LOOK_MS
        if (left > 0) continue
        quiet.gaveUp++
        return
      }
    },
  }
  return quiet
}

async function busyShare() {
  const before = times()
  await sleep(LOOK_MS)
  const after = times()
  const all = after.all - before.all
  return all === 0 ? 0 : (after.busy - before.busy) / all
}

function times() {
  let all = 0
  let busy = 0
  for (const { times: spent } of cpus()) {
    const { idle } = spent
    const sum = spent.user + spent.nice + spent.sys + spent.irq + idle
    all += sum
    busy += sum - idle
  }
  return { all, busy }
}
