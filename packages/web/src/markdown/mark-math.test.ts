import { expect, test } from 'vitest'
import { formulaIn, markMath } from './mark-math.ts'

const formulas = (text: string) =>
  [...markMath(text).matchAll(/(`+)([\uE000\uE001][\s\S]*?)\1(?!`)/g)].map(([, , code = '']) => formulaIn(code))
const inline = (tex: string) => ({ tex, display: false })
const display = (tex: string) => ({ tex, display: true })

test.each([
  { text: 'so \\(a_1 * b_2\\) is', is: [inline('a_1 * b_2')] },
  { text: 'so $a_1$ and $\\frac{1}{2}$', is: [inline('a_1'), inline('\\frac{1}{2}')] },
  { text: 'the $n$th of $5$', is: [inline('n'), inline('5')] },
  { text: '$5x = 10$', is: [inline('5x = 10')] },
  { text: '$$\na\n+ b % why\n= c\n$$', is: [display('a + b = c')] },
  { text: '> \\[\n> x\n> \\]', is: [display('x')] },
  { text: '| $|x|$ | b |', is: [inline('\\vert{}x\\vert{}')] },
  { text: '$`x`$', is: [] },
])('$text holds its formulas', ({ text, is }) => expect(formulas(text)).toEqual(is))

test.each([
  'It costs $5 and $10.',
  'It costs $5, or 10$ there.',
  'from $5-$10 or $5/$10',
  'US$5 and HK$10',
  '$HOME and $PATH, $HOME/$PATH',
  'a $ b $ c',
  '\\$5 and 6\\$',
  '`$a$` and `\\(b\\)`',
  '```sh\necho $a $b$\n```',
  '$$ not closed',
  '\\\\(no\\\\)',
])('%s holds no formula and stays as it is', text => expect(markMath(text)).toBe(text))
