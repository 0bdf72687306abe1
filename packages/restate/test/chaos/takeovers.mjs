// How long turns stood still after their worker was gone.
import { groupBy } from './check.mjs'

/** Faults in which nobody can go on with a turn, and after which the parts have to find each other again. Clients' own connections are none. */
const isOutage = ({ kind, link }) =>
  ['PostgreSQL restarted', 'Restate killed'].includes(kind) || ['database', 'workers'].includes(link)
const isLoss = ({ kind }) => kind === 'worker killed' || kind === 'worker stopped'
/** Milliseconds after an outage in which the parts may still be finding each other. */
const recovery = 5000

/**
 * Every turn whose worker was killed, or stopped past its lease: `all` milliseconds from the kill, or from the end of the lease, to the turn's next
 * event; `ms` of them without the time in which PostgreSQL, Restate or the network between them was down; `isClear` where none of these, and no
 * second loss of a worker, has disturbed it.
 */
export function takeovers({ logs, witnesses, talkers, faults, leaseMs }) {
  const byName = new Map(talkers.flatMap(({ id, turns }) => turns.map(turn => [turn.name, { ...turn, id }])))
  const signs = groupBy(
    witnesses.flatMap(line => {
      const name = (line.model ?? line.began ?? line.ran)?.split('.')[0]
      return byName.has(name) ? [{ ...line, name }] : []
    }),
    ({ name }) => name,
  )
  for (const lines of signs.values()) lines.sort((a, b) => a.at - b.at)
  return faults.filter(isLoss).flatMap(fault =>
    [...signs].flatMap(([name, lines]) => {
      if (lines.findLast(({ at }) => at <= fault.at)?.pid !== fault.pid) return []
      const { id, turnId } = byName.get(name)
      const own = (logs[id] ?? []).filter(event => event.turnId === turnId)
      const next = goesOn(fault, own) && own.find(event => event.at > fault.at)
      return next ? [{ name, ...timesOf({ fault, next, faults, leaseMs }) }] : []
    }),
  )
}

/** True where the turn neither waited for a person nor had ended when its process was lost. */
function goesOn({ at }, own) {
  const waits = own.findLast(event => event.at <= at)?.type === 'request.opened'
  const end = own.find(event => 'outcome' in event && /^turn\./.test(event.type))
  return !waits && end && end.at > at
}

function timesOf({ fault, next, faults, leaseMs }) {
  const { kind, at } = fault
  const from = kind === 'worker stopped' ? Math.min(at + leaseMs, next.at) : at
  const disturbs = other =>
    (isOutage(other) && (other.until ?? next.at) > at - recovery) || (isLoss(other) && (other.until ?? next.at) > at)
  const isClear = !faults.some(other => other !== fault && other.at < next.at && disturbs(other))
  const all = next.at - from
  return { kind, at, all, ms: all - downtime(faults.filter(isOutage), from, next.at), isClear }
}

/** Milliseconds between two times that outages have taken. */
function downtime(outages, from, to) {
  const spans = outages
    .filter(({ at, until = to }) => at < to && until > from)
    .map(({ at, until = to }) => [Math.max(at, from), Math.min(until, to)])
    .sort(([a], [b]) => a - b)
  let [sum, last] = [0, from]
  for (const [begin, end] of spans) {
    sum += Math.max(0, end - Math.max(begin, last))
    last = Math.max(last, end)
  }
  return sum
}
