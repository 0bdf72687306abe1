/** Arrows without those that follow from others. */
export function withoutImplied(imports) {
  const reaches = (from, to) => imports.get(from).has(to) || [...imports.get(from)].some(next => reaches(next, to))
  return [...imports].flatMap(([from, targets]) =>
    [...targets].filter(to => ![...targets].some(via => via !== to && reaches(via, to))).map(to => [from, to]),
  )
}

/** The number of floors between each box and the ground: one more than the highest that it imports. */
export function floorsOf(imports) {
  const floors = new Map()
  const floorOf = box => {
    if (!floors.has(box)) floors.set(box, Math.max(-1, ...[...imports.get(box)].map(floorOf)) + 1)
    return floors.get(box)
  }
  for (const box of imports.keys()) floorOf(box)
  return floors
}

/**
 * The rows of boxes from the ground up, and the way of each arrow from row to row. An arrow that passes a floor has a place of its own
 * there, so that it crosses no box.
 */
export function layOut(imports) {
  const floors = floorsOf(imports)
  const rows = Array.from({ length: Math.max(...floors.values()) + 1 }, () => [])
  for (const [box, floor] of floors) rows[floor].push(box)
  const ways = withoutImplied(imports).map(([from, to]) => {
    const way = [from]
    for (let floor = floors.get(from) - 1; floor > floors.get(to); floor--) {
      const passing = `${from}>${to}@${floor}`
      rows[floor].push(passing)
      way.push(passing)
    }
    return [...way, to]
  })
  return { rows: untangled(rows, ways), ways }
}

/** Each row in the order in which its places lie nearest to their neighbours, after some rounds up and down. */
function untangled(rows, ways) {
  let best = rows.map(row => row.toSorted())
  let tried = best
  for (let round = 0; round < 24; round++) {
    tried = ordered(tried, ways, round % 2 === 0)
    if (crossings(tried, ways) < crossings(best, ways)) best = tried
  }
  return best
}

const linksOf = ways => ways.flatMap(way => way.slice(1).map((to, i) => [way[i], to]))

function ordered(rows, ways, upwards) {
  const links = linksOf(ways)
  const places = placesIn(rows)
  const result = [...rows]
  const floors = rows.map((_row, floor) => floor)
  for (const floor of upwards ? floors : floors.reverse()) {
    const wanted = place => {
      const near = links.filter(([above, below]) => (upwards ? above : below) === place)
      const sum = near.reduce((all, [above, below]) => all + places.get(upwards ? below : above), 0)
      return near.length ? sum / near.length : places.get(place)
    }
    const wants = new Map(result[floor].map(place => [place, wanted(place)]))
    result[floor] = result[floor].toSorted((a, b) => wants.get(a) - wants.get(b))
    for (const [place, x] of placesIn([result[floor]])) places.set(place, x)
  }
  return result
}

/** Where each place stands in its row, from 0 to 1. */
export const placesIn = rows => new Map(rows.flatMap(row => row.map((place, i) => [place, (i + 0.5) / row.length])))

function crossings(rows, ways) {
  const places = placesIn(rows)
  const floor = new Map(rows.flatMap((row, i) => row.map(place => [place, i])))
  const links = linksOf(ways)
  let count = 0
  for (const [i, [a, b]] of links.entries())
    for (const [c, d] of links.slice(i + 1)) {
      if (floor.get(a) !== floor.get(c) || floor.get(b) === 0 || floor.get(d) === 0) continue
      if ((places.get(a) - places.get(c)) * (places.get(b) - places.get(d)) < 0) count++
    }
  return count
}
