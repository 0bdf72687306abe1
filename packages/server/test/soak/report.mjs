const quantile = (values, q) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0
const median = values => quantile(values, 0.5)

/** By how much a third of the samples may be over another: shares of what is held, and what a heap or a socket more is. */
const LEVEL = {
  memory: { times: 1.15, plus: 10 },
  handles: { times: 1.1, plus: 20 },
  listeners: { times: 1.1, plus: 100 },
}

/** Samples with stalled and reconnecting sockets, without the third in which the server warms up. */
const rough = samples => {
  const all = samples.filter(({ isCalm }) => !isCalm)
  return all.slice(Math.floor(all.length / 3))
}

/** What did not stay level, and turns that took too long. */
export function problemsOf(samples) {
  const settled = rough(samples)
  const half = Math.floor(settled.length / 2)
  const problems = Object.entries(LEVEL).flatMap(([name, { times, plus }]) => {
    const [first, last] = [settled.slice(0, half), settled.slice(half)].map(part =>
      median(part.map(each => each[name])),
    )
    return last > first * times + plus ? [`${name} rose from ${Math.round(first)} to ${Math.round(last)}.`] : []
  })
  const [calm, later] = [samples.filter(({ isCalm }) => isCalm), settled].map(part =>
    quantile(
      part.flatMap(({ times }) => times),
      0.99,
    ),
  )
  if (!calm || !later) return [...problems, 'No turn has ended.']
  return later > calm * 1.5
    ? [...problems, `p99 is ${Math.round(later)} ms, when calm ${Math.round(calm)} ms.`]
    : problems
}

const MARKS = '▁▂▃▄▅▆▇█'
const curve = values => {
  const most = Math.max(...values, 1)
  return values.map(value => MARKS[Math.min(7, Math.floor((value / most) * 8))]).join('')
}

/** A curve for each figure over the time of the soak. */
export function report(samples, { minutes, count, cutOffs }) {
  const rows = [
    ['memory, MB', samples.map(({ memory }) => memory)],
    ['handles', samples.map(({ handles }) => handles)],
    ['listeners', samples.map(({ listeners }) => listeners)],
    ['turns', samples.map(({ times }) => times.length)],
    ['p99, ms', samples.map(({ times }) => quantile(times, 0.99))],
  ]
  const calm = samples.filter(({ isCalm }) => isCalm).length
  const lines = rows.map(([name, values]) => {
    const [least, most] = [Math.min(...values), Math.max(...values)].map(value =>
      Math.round(value).toLocaleString('en'),
    )
    return `${name.padEnd(12)} ${curve(values)}  ${least} … ${most}`
  })
  return [
    `${count} conversations, ${minutes} minutes, ${cutOffs} sockets cut off`,
    ...lines,
    `${''.padEnd(12)} ${'calm'.padEnd(calm, ' ')}│ a tenth stalled, a fifth reconnecting`,
  ].join('\n')
}
