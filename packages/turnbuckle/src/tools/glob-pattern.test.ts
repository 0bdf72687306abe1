import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedGlob, globPattern } from './glob-pattern.ts'

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/*.ts', 'lib/src/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/very/deep/a.ts', true],
  ['src/**/*.ts', 'src.ts', false],
  ['src/**', 'src/very/deep/a.ts', true],
  ['a?.ts', 'ab.ts', true],
  ['a?b', 'a/b', false],
  ['*.{ts,js}', 'deep/a.js', true],
  ['*.{ts,js}', 'a.css', false],
  ['{src/*,*.md}', 'src/a', true],
  ['{,x}a', 'a', true],
  ['a{b', 'a{b', true],
  ['a.b', 'axb', false],
  ['(a|b)+[c]', '(a|b)+[c]', true],
  ['a\\*', 'a\\b', true],
])('%s is like %s: %s', (glob, name, is) => expect(globPattern(glob).test(name)).toBe(is))

/** The translation that globs had before: right, and slow where a name is almost like a glob of many stars. */
function regexOf(glob: string): RegExp {
  const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^{}]*)\}/g, (_, names: string) => `(?:${names.replace(/,/g, '|')})`)
    .replace(/[{}]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|(?<!\()\?/g, part => wildcards[part] ?? part)
  return new RegExp(`^${glob.includes('/') ? '' : '(?:.*/)?'}${source}$`)
}

const signs = ['a', 'b', '/', '.', '[', '*', '**', '**/', '?', '{', '}', ',', '{a,*b}', '{a}', '{,a/}']
const globs = fc.string({ unit: fc.constantFrom(...signs), maxLength: 7 })
const names = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '[', '{'), maxLength: 8 })

test('any glob is like what its regular expression is like', () => {
  fc.assert(
    fc.property(globs, fc.array(names, { minLength: 8, maxLength: 8 }), (glob, some) => {
      const [pattern, regex] = [globPattern(glob), regexOf(glob)]
      for (const name of some) expect([glob, name, pattern.test(name)]).toEqual([glob, name, regex.test(name)])
    }),
    { numRuns: 3000, seed: 7 },
  )
})

test.each(['*a', '**?', '*?', '{a,a}*', '**/', '**/a', '{*,*}'])(
  'a glob of many %s is decided, however long the name',
  part => {
    expect(globPattern(`${part.repeat(140)}b`).test(`${'a'.repeat(250)}/${'a'.repeat(250)}`)).toBe(false)
  },
)

test('a glob that every name brings somewhere else is decided for each of them', () => {
  const pattern = globPattern(`**a${'?'.repeat(12)}`)
  const all = Array.from({ length: 3000 }, (_, i) =>
    i.toString(2).padStart(20, '0').replace(/0/g, 'b').replace(/1/g, 'a'),
  )
  expect(all.filter(name => pattern.test(name))).toEqual(all.filter(name => name.at(-13) === 'a'))
})

test('a call asks for no glob that is longer than anybody writes', () => {
  expect(askedGlob('*'.repeat(500)).test('a')).toBe(true)
  expect(() => askedGlob(`${'**/'.repeat(3000)}x`)).toThrow(expect.objectContaining({ code: 'glob.long' }))
})
