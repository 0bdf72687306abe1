/** A right answer to each task of `turnbuckle eval`, by task and file: proves that the tests can be passed. */
export const evalSolutions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'range-sum': {
    'sum.mjs':
      'export function sum(from, to) {\n  let total = 0\n  for (let i = from; i <= to; i++) total += i\n  return total\n}\n',
  },
  slugify: {
    'slug.mjs': `export const slugify = text => text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')\n`,
  },
  roman: {
    'roman.mjs': `const signs = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]
export function toRoman(n) {
  if (!Number.isInteger(n) || n < 1 || n > 3999) throw new RangeError(String(n))
  let text = ''
  for (const [value, sign] of signs) while (n >= value) { text += sign; n -= value }
  return text
}
`,
  },
  csv: {
    'csv.mjs': `export function parse(text) {
  const rows = [[]]
  let at = 0
  const field = () => {
    if (text[at] !== '"') { const [plain] = /^[^,\\r\\n]*/.exec(text.slice(at)); at += plain.length; return plain }
    let value = ''
    for (at++; at < text.length; at++) {
      if (text[at] !== '"') value += text[at]
      else if (text[at + 1] === '"') { value += '"'; at++ } else { at++; break }
    }
    return value
  }
  for (;;) {
    rows.at(-1).push(field())
    if (text[at] === ',') { at++; continue }
    if (text[at] === '\\r') at++
    if (text[at] === '\\n') at++
    if (at >= text.length) return rows
    rows.push([])
  }
}
`,
  },
  'lru-cache': {
    'lru.mjs': `export class LruCache {
  #max; #map = new Map()
  constructor(max) { this.#max = max }
  get size() { return this.#map.size }
  has(key) { return this.#map.has(key) }
  get(key) { if (!this.has(key)) return undefined; const value = this.#map.get(key); this.set(key, value); return value }
  set(key, value) { this.#map.delete(key); this.#map.set(key, value); if (this.size > this.#max) this.#map.delete(this.#map.keys().next().value) }
}
`,
  },
  retry: {
    'retry.mjs': `export async function retry(run, times) {
  for (let i = 1; ; i++) {
    try { return await run() } catch (error) { if (i >= times) throw error }
  }
}
`,
  },
  'deep-equal': {
    'equal.mjs': `export function isEqual(a, b) {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Date) return a.getTime() === b.getTime()
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
}
`,
  },
  flatten: {
    'flatten.mjs': `export function flatten(list) {
  const flat = []
  const open = [{ list, at: 0 }]
  while (open.length) {
    const top = open.at(-1)
    if (top.at === top.list.length) { open.pop(); continue }
    const item = top.list[top.at++]
    if (Array.isArray(item)) open.push({ list: item, at: 0 })
    else flat.push(item)
  }
  return flat
}
`,
  },
  rename: {
    'orders.mjs': 'export const loadOrders = () => [{ id: 1, total: 5 }, { id: 2, total: 7 }]\n',
    'report.mjs':
      "import { loadOrders } from './orders.mjs'\n\nexport const total = () => loadOrders().reduce((sum, { total }) => sum + total, 0)\n",
    'list.mjs':
      "import * as orders from './orders.mjs'\n\nexport const ids = () => orders.loadOrders().map(({ id }) => id)\n",
  },
  'cli-flag': {
    'greet.mjs': `const args = process.argv.slice(2)
const name = args.find(arg => arg !== '--shout')
if (name === undefined) { console.error('Who?'); process.exitCode = 2 }
else console.log(args.includes('--shout') ? ('Hello, ' + name + '!').toUpperCase() : 'Hello, ' + name)
`,
  },
  'days-between': { 'days.mjs': 'export const daysBetween = (a, b) => (Date.parse(b) - Date.parse(a)) / 86400000\n' },
  'path-access': {
    'path.mjs': `const keys = path => [...path.matchAll(/\\[(\\d+)\\]|([^.[\\]]+)/g)].map(([, index, name]) => (index === undefined ? name : Number(index)))
export function get(object, path, otherwise) {
  let value = object
  for (const key of keys(path)) { if (value === null || value === undefined) return otherwise; value = value[key] }
  return value === undefined ? otherwise : value
}
export function set(object, path, value) {
  const put = (target, [key, ...rest]) => {
    if (key === undefined) return value
    const copy = Array.isArray(target) ? [...target] : typeof key === 'number' && target === undefined ? [] : { ...target }
    copy[key] = put(target?.[key], rest)
    return copy.length === undefined ? copy : Array.from(copy)
  }
  return put(object, keys(path))
}
`,
  },
  'merge-settings': {
    'merge.mjs': `const isPlain = value => typeof value === 'object' && value !== null && !Array.isArray(value)
export function merge(base, over) {
  const merged = { ...base }
  for (const key of Object.keys(over)) {
    if (key === '__proto__') continue
    const own = Object.hasOwn(merged, key) ? merged[key] : undefined
    merged[key] = isPlain(over[key]) ? merge(isPlain(own) ? own : {}, over[key]) : over[key]
  }
  return merged
}
`,
  },
  'word-count': {
    'count.mjs': `export function countWords(text) {
  const counts = new Map()
  for (const [word] of text.toLowerCase().matchAll(/\\p{L}+(?:'\\p{L}+)*/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Map([...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)))
}
`,
  },
  emitter: {
    'emitter.mjs': `export class Emitter {
  #listeners = []
  on(listener) { this.#listeners = [...this.#listeners, listener]; return () => this.off(listener) }
  once(listener) { const off = this.on((...args) => { off(); listener(...args) }); return off }
  off(listener) { this.#listeners = this.#listeners.filter(one => one !== listener) }
  emit(...args) { for (const listener of this.#listeners) listener(...args) }
}
`,
  },
  'binary-search': {
    'search.mjs': `export function indexOf(list, value) {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = list[middle]
    if (found === value) return middle
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
`,
  },
  limit: {
    'limit.mjs': `export async function mapLimited(list, most, run) {
  const results = []
  let next = 0
  let failed = false
  const work = async () => {
    while (next < list.length && !failed) {
      const i = next++
      try { results[i] = await run(list[i], i) } catch (error) { failed = true; throw error }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, work))
  return results
}
`,
  },
  template: {
    'render.mjs': `const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const render = (template, values) =>
  template.replace(/\\{\\{\\{\\s*(\\w+)\\s*\\}\\}\\}|\\{\\{\\s*(\\w+)\\s*\\}\\}/g, (_, raw, name) =>
    raw ? String(values[raw] ?? '') : String(values[name] ?? '').replace(/[&<>"']/g, sign => signs[sign]))
`,
  },
  semver: {
    'semver.mjs': `const read = text => { const [main, ...pre] = text.split('+')[0].split('-'); return { main: main.split('.').map(Number), pre: pre.length ? pre.join('-').split('.') : [] } }
const part = (a, b) => { const [n, m] = [a, b].map(x => /^\\d+$/.test(x)); return n && m ? a - b : n !== m ? (n ? -1 : 1) : a < b ? -1 : a > b ? 1 : 0 }
export function compare(a, b) {
  const [x, y] = [read(a), read(b)]
  for (let i = 0; i < 3; i++) if (x.main[i] !== y.main[i]) return x.main[i] - y.main[i]
  if (!x.pre.length || !y.pre.length) return y.pre.length - x.pre.length
  for (let i = 0; i < Math.min(x.pre.length, y.pre.length); i++) { const order = part(x.pre[i], y.pre[i]); if (order) return order }
  return x.pre.length - y.pre.length
}
`,
  },
  'split-module': {
    'tool.mjs': "export { format } from './format.mjs'\nexport { parse } from './parse.mjs'\n",
    'parse.mjs': `const trim = text => text.trim()

export function parse(text) {
  return Object.fromEntries(text.split(';').map(trim).filter(Boolean).map(pair => pair.split('=').map(trim)))
}
`,
    'format.mjs':
      "export function format(values) {\n  return Object.entries(values).map(([key, value]) => key + '=' + value).join('; ')\n}\n",
  },
}
