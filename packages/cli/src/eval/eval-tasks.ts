import type { EvalTask } from './eval-task.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert/strict'\n"
const judged = (body: string): Readonly<Record<string, string>> => ({ 'task.test.mjs': `${head}${body.trim()}\n` })
const trimmed = (text: string): string => `${text.trim()}\n`

/** Twenty tasks: mistakes to find, functions to write, code to move. Plain JavaScript, so that nothing has to be installed. */
export const evalTasks: readonly EvalTask[] = [
  {
    name: 'range-sum',
    prompt:
      'sum(from, to) in sum.mjs shall add up all whole numbers from `from` to `to`, both included. It is wrong. Mend it.',
    files: {
      'sum.mjs': trimmed(`
export function sum(from, to) {
  let total = 0
  for (let i = from; i < to; i++) total += i
  return total
}`),
    },
    tests: judged(`
import { sum } from './sum.mjs'
test('both ends count', () => assert.equal(sum(1, 4), 10))
test('one number', () => assert.equal(sum(3, 3), 3))
test('none', () => assert.equal(sum(3, 2), 0))`),
  },
  {
    name: 'slugify',
    prompt:
      'Write slug.mjs with an exported function slugify(text): lower case, accents taken off, everything that is no letter or digit becomes one "-", none at the ends.',
    files: { 'README.md': '# slug\n' },
    tests: judged(`
import { slugify } from './slug.mjs'
test('words', () => assert.equal(slugify('Hello, World!'), 'hello-world'))
test('accents', () => assert.equal(slugify('Crème Brûlée'), 'creme-brulee'))
test('ends', () => assert.equal(slugify('  --a  b--  '), 'a-b'))
test('nothing', () => assert.equal(slugify('!!!'), ''))`),
  },
  {
    name: 'roman',
    prompt: 'Write roman.mjs that exports toRoman(n) for 1 to 3999 and throws a RangeError for anything else.',
    files: { 'README.md': '# roman numbers\n' },
    tests: judged(`
import { toRoman } from './roman.mjs'
for (const [n, text] of [[1, 'I'], [4, 'IV'], [9, 'IX'], [14, 'XIV'], [40, 'XL'], [944, 'CMXLIV'], [3999, 'MMMCMXCIX']])
  test(text, () => assert.equal(toRoman(n), text))
for (const n of [0, 4000, -1, 1.5, NaN]) test(String(n), () => assert.throws(() => toRoman(n), RangeError))`),
  },
  {
    name: 'csv',
    prompt:
      'parse(text) in csv.mjs splits at commas only. Make it read quoted fields: "a,b" is one field, "" inside quotes is a quote, a quoted field may hold line ends. Lines end with \\n or \\r\\n; a line end at the very end is no row.',
    files: {
      'csv.mjs': trimmed(`
export const parse = text => text.split('\\n').map(line => line.split(','))`),
    },
    tests: judged(`
import { parse } from './csv.mjs'
test('plain', () => assert.deepEqual(parse('a,b\\nc,d'), [['a', 'b'], ['c', 'd']]))
test('quoted', () => assert.deepEqual(parse('"a,b",c'), [['a,b', 'c']]))
test('quotes inside', () => assert.deepEqual(parse('"say ""hi""",x'), [['say "hi"', 'x']]))
test('line ends', () => assert.deepEqual(parse('"a\\nb",c\\r\\nd,e\\r\\n'), [['a\\nb', 'c'], ['d', 'e']]))
test('empty fields', () => assert.deepEqual(parse(',\\n"",'), [['', ''], ['', '']]))`),
  },
  {
    name: 'lru-cache',
    prompt:
      'Write lru.mjs that exports a class LruCache: new LruCache(max), get(key), set(key, value), has(key), size. What was read or written longest ago goes first when there are more than max. has is no reading.',
    files: { 'README.md': '# lru\n' },
    tests: judged(`
import { LruCache } from './lru.mjs'
test('drops the oldest', () => {
  const cache = new LruCache(2)
  cache.set('a', 1); cache.set('b', 2); cache.set('c', 3)
  assert.deepEqual([cache.has('a'), cache.get('b'), cache.get('c'), cache.size], [false, 2, 3, 2])
})
test('reading keeps, has does not', () => {
  const cache = new LruCache(2)
  cache.set('a', 1); cache.set('b', 2); cache.get('a'); cache.has('b'); cache.set('c', 3)
  assert.deepEqual([cache.has('a'), cache.has('b')], [true, false])
})
test('writing again keeps, also undefined', () => {
  const cache = new LruCache(2)
  cache.set('a', undefined); cache.set('b', 2); cache.set('a', undefined); cache.set('c', 3)
  assert.deepEqual([cache.has('a'), cache.has('b'), cache.size], [true, false, 2])
})`),
  },
  {
    name: 'retry',
    prompt:
      'retry(run, times) in retry.mjs shall call run until it succeeds, `times` times at most, and then throw the last error. It gives up too early and swallows errors. Mend it.',
    files: {
      'retry.mjs': trimmed(`
export async function retry(run, times) {
  for (let i = 1; i < times; i++) {
    try {
      return run()
    } catch {}
  }
}`),
    },
    tests: judged(`
import { retry } from './retry.mjs'
const failing = n => { let calls = 0; return Object.assign(async () => { calls++; if (calls <= n) throw new Error('no ' + calls); return calls }, { calls: () => calls }) }
test('succeeds at the last', async () => assert.equal(await retry(failing(2), 3), 3))
test('throws the last error', async () => { const run = failing(9); await assert.rejects(retry(run, 3), /no 3/); assert.equal(run.calls(), 3) })
test('a plain throw counts too', async () => { let n = 0; assert.equal(await retry(() => { if (n++ < 1) throw new Error('x'); return 'ok' }, 2), 'ok') })`),
  },
  {
    name: 'deep-equal',
    prompt: 'isEqual(a, b) in equal.mjs is wrong for NaN, dates, missing keys and lists beside objects. Mend it.',
    files: {
      'equal.mjs': trimmed(`
export function isEqual(a, b) {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  return Object.keys(a).every(key => isEqual(a[key], b[key]))
}`),
    },
    tests: judged(`
import { isEqual } from './equal.mjs'
const yes = [[1, 1], [NaN, NaN], [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }], [new Date(5), new Date(5)], [null, null], [{}, {}]]
const no = [[1, 2], [{}, { a: 1 }], [{ a: undefined }, {}], [new Date(5), new Date(6)], [[], {}], [null, {}], [{ a: 1 }, null], [[1], [1, 2]]]
yes.forEach(([a, b], i) => test('equal ' + i, () => assert.equal(isEqual(a, b), true)))
no.forEach(([a, b], i) => test('different ' + i, () => assert.equal(isEqual(a, b), false)))`),
  },
  {
    name: 'flatten',
    prompt:
      'flatten(list) in flatten.mjs goes one level deep. It shall go all the way down, however deep, and not change its argument.',
    files: {
      'flatten.mjs': trimmed(`
export function flatten(list) {
  const flat = []
  for (const item of list) flat.push(...(Array.isArray(item) ? item : [item]))
  return flat
}`),
    },
    tests: judged(`
import { flatten } from './flatten.mjs'
test('deep', () => assert.deepEqual(flatten([1, [2, [3, [4, []]]]]), [1, 2, 3, 4]))
test('very deep', () => { let list = [1]; for (let i = 0; i < 50_000; i++) list = [list]; assert.deepEqual(flatten(list), [1]) })
test('unchanged', () => { const list = [[1], 2]; flatten(list); assert.deepEqual(list, [[1], 2]) })`),
  },
  {
    name: 'rename',
    prompt:
      'Rename the function getData to loadOrders everywhere: in orders.mjs and in all files that use it. Nothing else changes.',
    files: {
      'orders.mjs': 'export const getData = () => [{ id: 1, total: 5 }, { id: 2, total: 7 }]\n',
      'report.mjs':
        "import { getData } from './orders.mjs'\n\nexport const total = () => getData().reduce((sum, { total }) => sum + total, 0)\n",
      'list.mjs':
        "import * as orders from './orders.mjs'\n\nexport const ids = () => orders.getData().map(({ id }) => id)\n",
    },
    tests: judged(`
import * as orders from './orders.mjs'
import { total } from './report.mjs'
import { ids } from './list.mjs'
import { readFileSync } from 'node:fs'
test('new name', () => assert.equal(orders.loadOrders().length, 2))
test('old name is gone', () => { for (const file of ['orders', 'report', 'list']) assert.doesNotMatch(readFileSync(file + '.mjs', 'utf8'), /getData/) })
test('still works', () => assert.deepEqual([total(), ids()], [12, [1, 2]]))`),
  },
  {
    name: 'cli-flag',
    prompt:
      'greet.mjs prints "Hello, NAME" for the name it is given. Add a flag --shout, before or behind the name, that prints it in capitals with a "!". Without a name it shall print "Who?" on standard error and end with 2.',
    files: { 'greet.mjs': 'const [name] = process.argv.slice(2)\nconsole.log("Hello, " + name)\n' },
    tests: judged(`
import { spawnSync } from 'node:child_process'
const run = (...args) => spawnSync(process.execPath, ['greet.mjs', ...args], { encoding: 'utf8' })
test('plain', () => assert.equal(run('Ann').stdout, 'Hello, Ann\\n'))
test('shout before', () => assert.equal(run('--shout', 'Ann').stdout, 'HELLO, ANN!\\n'))
test('shout behind', () => assert.equal(run('Ann', '--shout').stdout, 'HELLO, ANN!\\n'))
test('nobody', () => { const { status, stderr, stdout } = run('--shout'); assert.deepEqual([status, stderr.trim(), stdout], [2, 'Who?', '']) })`),
  },
  {
    name: 'days-between',
    prompt:
      'daysBetween(a, b) in days.mjs takes dates as "YYYY-MM-DD" and is wrong by one around changes of summer time. Mend it, for every time zone.',
    files: {
      'days.mjs': trimmed(`
export function daysBetween(a, b) {
  const parse = text => { const [y, m, d] = text.split('-').map(Number); return new Date(y, m - 1, d) }
  return Math.floor((parse(b) - parse(a)) / 86400000)
}`),
    },
    tests: judged(`
import { execFileSync } from 'node:child_process'
const days = (zone, a, b) => Number(execFileSync(process.execPath, ['--input-type=module', '-e', "import { daysBetween } from './days.mjs'; console.log(daysBetween('" + a + "','" + b + "'))"], { env: { ...process.env, TZ: zone }, encoding: 'utf8' }))
for (const zone of ['Europe/Berlin', 'America/New_York', 'UTC'])
  test(zone, () => assert.deepEqual([days(zone, '2026-03-01', '2026-04-01'), days(zone, '2026-10-20', '2026-11-10'), days(zone, '2026-05-02', '2026-05-01')], [31, 21, -1]))`),
  },
  {
    name: 'path-access',
    prompt:
      'Write path.mjs that exports get(object, path, otherwise) and set(object, path, value) for paths such as "a.b[0].c". get gives `otherwise` where there is nothing. set returns a changed copy, makes what is missing (a list for [0]), and leaves its argument alone.',
    files: { 'README.md': '# paths\n' },
    tests: judged(`
import { get, set } from './path.mjs'
test('get', () => assert.deepEqual([get({ a: { b: [{ c: 1 }] } }, 'a.b[0].c'), get({}, 'a.b', 7), get({ a: null }, 'a.b', 7), get({ a: 0 }, 'a', 7)], [1, 7, 7, 0]))
test('set', () => assert.deepEqual(set({ a: { x: 1 } }, 'a.b[1].c', 2), { a: { x: 1, b: [undefined, { c: 2 }] } }))
test('unchanged', () => { const o = { a: { b: [1] } }; const changed = set(o, 'a.b[0]', 2); assert.deepEqual([o, changed], [{ a: { b: [1] } }, { a: { b: [2] } }]) })`),
  },
  {
    name: 'merge-settings',
    prompt:
      'merge(base, over) in merge.mjs shall merge deeply, lists replaced as a whole, without changing its arguments, and must not let over change prototypes. At the moment it does none of that well.',
    files: {
      'merge.mjs': trimmed(`
export function merge(base, over) {
  for (const key in over) {
    if (typeof over[key] === 'object') base[key] = merge(base[key] ?? {}, over[key])
    else base[key] = over[key]
  }
  return base
}`),
    },
    tests: judged(`
import { merge } from './merge.mjs'
test('deep', () => assert.deepEqual(merge({ a: { b: 1, c: 2 } }, { a: { c: 3 } }), { a: { b: 1, c: 3 } }))
test('lists and null', () => assert.deepEqual(merge({ a: [1, 2, 3], b: { c: 1 } }, { a: [4], b: null }), { a: [4], b: null }))
test('unchanged', () => { const base = { a: { b: 1 } }; merge(base, { a: { b: 2 } }); assert.deepEqual(base, { a: { b: 1 } }) })
test('prototypes', () => { merge({}, JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}')); assert.equal({}.polluted, undefined) })`),
  },
  {
    name: 'word-count',
    prompt:
      'count.mjs shall export countWords(text): a Map from each word, in lower case, to how often it occurs, the most frequent first, equal ones by the alphabet. Words are letters of any language with apostrophes inside ("don\'t"); digits and signs are none.',
    files: { 'count.mjs': "export const countWords = text => new Map(text.split(' ').map(word => [word, 1]))\n" },
    tests: judged(`
import { countWords } from './count.mjs'
const entries = text => [...countWords(text)]
test('counts', () => assert.deepEqual(entries('b a b, C! a b'), [['b', 3], ['a', 2], ['c', 1]]))
test('languages', () => assert.deepEqual(entries('Über über straße 42'), [['über', 2], ['straße', 1]]))
test('apostrophes', () => assert.deepEqual(entries("Don't 'quote' don't"), [["don't", 2], ['quote', 1]]))
test('nothing', () => assert.deepEqual(entries(' 1 2 - '), []))`),
  },
  {
    name: 'emitter',
    prompt:
      'A listener of Emitter (emitter.mjs) that takes itself off while it is called makes the next one be passed over, and once listeners stay. Mend both. A listener that is added during an emit hears the next one only.',
    files: {
      'emitter.mjs': trimmed(`
export class Emitter {
  #listeners = []
  on(listener) {
    this.#listeners.push(listener)
    return () => this.off(listener)
  }
  once(listener) {
    return this.on((...args) => listener(...args))
  }
  off(listener) {
    const at = this.#listeners.indexOf(listener)
    this.#listeners.splice(at, 1)
  }
  emit(...args) {
    for (let i = 0; i < this.#listeners.length; i++) this.#listeners[i](...args)
  }
}`),
    },
    tests: judged(`
import { Emitter } from './emitter.mjs'
test('all are called', () => { const e = new Emitter(), heard = []; const off = e.on(() => { heard.push('a'); off() }); e.on(() => heard.push('b')); e.emit(); e.emit(); assert.deepEqual(heard, ['a', 'b', 'b']) })
test('once', () => { const e = new Emitter(), heard = []; e.once(x => heard.push(x)); e.emit(1); e.emit(2); assert.deepEqual(heard, [1]) })
test('added later', () => { const e = new Emitter(), heard = []; e.on(() => { if (!heard.length) e.on(() => heard.push('new')); heard.push('old') }); e.emit(); assert.deepEqual(heard, ['old']) })
test('off of a stranger', () => { const e = new Emitter(), heard = []; e.on(() => heard.push(1)); e.off(() => {}); e.emit(); assert.deepEqual(heard, [1]) })`),
  },
  {
    name: 'binary-search',
    prompt:
      'indexOf(list, value) in search.mjs searches a sorted list by halves. Some values that are in the list it does not find, and the ends it passes over. Mend it; keep it logarithmic.',
    files: {
      'search.mjs': trimmed(`
export function indexOf(list, value) {
  let low = 0
  let high = list.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (list[middle] === value) return middle
    if (list[middle] < value) low = middle + 2
    else high = middle - 1
  }
  return -1
}`),
    },
    tests: judged(`
import { indexOf } from './search.mjs'
const list = Array.from({ length: 100 }, (_, i) => i * 2)
test('finds all', () => { for (const [i, value] of list.entries()) assert.equal(indexOf(list, value), i) })
test('finds nothing', () => { for (const value of [-1, 1, 99, 199]) assert.equal(indexOf(list, value), -1) })
test('small lists', () => assert.deepEqual([indexOf([], 1), indexOf([1], 1), indexOf([1, 2], 2)], [-1, 0, 1]))
test('looks at few', () => { let looks = 0; const seen = new Proxy(list, { get: (t, k) => { if (/^\\d+$/.test(String(k))) looks++; return t[k] } }); indexOf(seen, 198); assert.ok(looks < 30) })`),
  },
  {
    name: 'limit',
    prompt:
      'Write limit.mjs that exports mapLimited(list, most, run): calls the async run(item, index) for each item, at most `most` at once, and gives the results in order. When one fails it rejects with that error and begins no more.',
    files: { 'README.md': '# limit\n' },
    tests: judged(`
import { mapLimited } from './limit.mjs'
const tick = () => new Promise(resolve => setImmediate(resolve))
test('in order', async () => assert.deepEqual(await mapLimited([3, 1, 2], 2, async (n, i) => { for (let k = 0; k < n; k++) await tick(); return n * 10 + i }), [30, 11, 22]))
test('at most', async () => { let now = 0, top = 0; await mapLimited(Array(10).fill(0), 3, async () => { top = Math.max(top, ++now); await tick(); now-- }); assert.equal(top, 3) })
test('fails', async () => { const begun = []; await assert.rejects(mapLimited([0, 1, 2, 3], 1, async n => { begun.push(n); if (n === 1) throw new Error('one') }), /one/); await tick(); assert.deepEqual(begun, [0, 1]) })
test('empty', async () => assert.deepEqual(await mapLimited([], 2, async () => 1), []))`),
  },
  {
    name: 'template',
    prompt:
      'render(template, values) in render.mjs replaces {{name}}. Make it escape & < > " \' of values, keep {{{name}}} as it is, allow blanks inside the braces, and put nothing for values that are missing. A value that looks like a placeholder is not replaced again.',
    files: {
      'render.mjs': trimmed(`
export function render(template, values) {
  for (const key of Object.keys(values)) template = template.replace('{{' + key + '}}', values[key])
  return template
}`),
    },
    tests: judged(`
import { render } from './render.mjs'
test('all of them', () => assert.equal(render('{{a}} {{ a }} {{b}}', { a: 1 }), '1 1 '))
test('escapes', () => assert.equal(render('{{a}}', { a: '<b a="1">&\\'' }), '&lt;b a=&quot;1&quot;&gt;&amp;&#39;'))
test('raw', () => assert.equal(render('{{{a}}}', { a: '<b>' }), '<b>'))
test('not again', () => assert.equal(render('{{a}}{{b}}', { a: '{{b}}', b: '$&' }), '{{b}}$&amp;'))`),
  },
  {
    name: 'semver',
    prompt:
      'Write semver.mjs that exports compare(a, b): negative, 0 or positive, by semver 2.0.0. Numbers as numbers; a prerelease before its release; its parts compared one by one, numbers before words, fewer before more; build metadata (+…) does not count.',
    files: { 'README.md': '# semver\n' },
    tests: judged(`
import { compare } from './semver.mjs'
const sorted = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.2.0', '1.10.0', '2.0.0']
test('order', () => { for (let i = 1; i < sorted.length; i++) { assert.ok(compare(sorted[i - 1], sorted[i]) < 0, sorted[i]); assert.ok(compare(sorted[i], sorted[i - 1]) > 0) } })
test('equal', () => assert.equal(compare('1.0.0+a', '1.0.0+b'), 0))`),
  },
  {
    name: 'split-module',
    prompt:
      'tool.mjs does two things. Move parse and its helper into parse.mjs and format into format.mjs; tool.mjs keeps exporting both, from there, and has no function of its own any more.',
    files: {
      'tool.mjs': trimmed(`
const trim = text => text.trim()

export function parse(text) {
  return Object.fromEntries(text.split(';').map(trim).filter(Boolean).map(pair => pair.split('=').map(trim)))
}

export function format(values) {
  return Object.entries(values).map(([key, value]) => key + '=' + value).join('; ')
}`),
    },
    tests: judged(`
import * as tool from './tool.mjs'
import * as parsing from './parse.mjs'
import * as formatting from './format.mjs'
import { readFileSync } from 'node:fs'
test('same functions', () => assert.deepEqual([tool.parse === parsing.parse, tool.format === formatting.format], [true, true]))
test('apart', () => assert.deepEqual([Object.keys(parsing), Object.keys(formatting)], [['parse'], ['format']]))
test('nothing left', () => assert.doesNotMatch(readFileSync('tool.mjs', 'utf8'), /function|=>/))
test('still works', () => assert.equal(tool.format(tool.parse(' a = 1; b=2 ;')), 'a=1; b=2'))`),
  },
]
