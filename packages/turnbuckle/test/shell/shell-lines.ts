import type { Random } from '../same/random.ts'
import { gitLine } from './git-lines.ts'

/** Names of the commands that a line may run: stubs that say that they ran. */
export const stubNames: readonly string[] = ['a', 'b', 'c', 'dd']

const signs = [
  ...[
    '"',
    "'",
    '\\',
    '$(',
    ')',
    '`',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    '#',
    '> f',
    '>',
    '<',
    '(',
    '{',
    '}',
    '$',
    '*',
    '=',
  ],
  ...[
    '!',
    '2>&1',
    '<<',
    '[',
    '-',
    '~',
    '()',
    '"$(',
    ')"',
    "\\'",
    '\\\n',
    '$x',
    '{a,b}',
    ' ',
    '\t',
    ';;',
    '&>',
    '|&',
    '<(',
  ],
]

/** A shell line: one that a grammar makes, and in a third of cases with a few signs put in or characters taken out. */
export function shellLine(random: Random): string {
  const line = list(random, 3)
  return random.next() < 1 / 3 ? disturbed(random, line) : line
}

function disturbed(random: Random, line: string): string {
  let changed = line
  for (let times = 1 + Math.floor(random.next() * 3); times; times--) {
    const at = Math.floor(random.next() * (changed.length + 1))
    const cut = random.next() < 0.4 ? 1 + Math.floor(random.next() * 2) : 0
    changed = changed.slice(0, at) + (cut ? '' : random.pick(signs)) + changed.slice(at + cut)
  }
  return changed
}

type Make = (random: Random, depth: number) => string

const list: Make = (random, depth) => {
  let line = pipeline(random, depth)
  while (random.next() < 0.4)
    line += random.pick(['; ', ' && ', ' || ', ' & ', '\n', ';', '&&', '||']) + pipeline(random, depth)
  return line
}
const pipeline: Make = (random, depth) => {
  let line = command(random, depth)
  while (random.next() < 0.25) line += random.pick([' | ', '|', ' |& ']) + command(random, depth)
  return line
}
const command: Make = (random, depth) => {
  const kind = random.next()
  if (depth > 0 && kind < 0.1) return `(${list(random, depth - 1)})`
  if (depth > 0 && kind < 0.16) return random.pick(compound)(random, depth - 1)
  if (depth > 0 && kind < 0.45) return random.pick(wrappers)(random, depth - 1)
  return simple(random, depth)
}

const simple: Make = (random, depth) => {
  let line = name(random)
  while (random.next() < 0.5) line += ` ${word(random, depth)}`
  if (random.next() < 0.15) line += random.pick([' > f', ' 2>&1', ' >> f', ' < f', ' 2>/dev/null', ' >&2'])
  return line
}

/** A name of a stub, in one of the ways to write it. */
const name = (random: Random): string => {
  const plain = random.pick(stubNames)
  if (random.next() < 0.7) return plain
  return random.pick([
    `"${plain}"`,
    `'${plain}'`,
    `\\${plain}`,
    `${plain}""`,
    `''${plain}`,
    `"${plain[0]}"${plain.slice(1)}`,
  ])
}

const word: Make = (random, depth) => {
  const inner = () => list(random, depth - 1)
  const texts = ['x', '-x', '--', 'y z', 'a', 'b', '*', '$x', '~', '{a,b}', '2', '/', "it's"]
  const text = random.pick(texts)
  const kind = random.next()
  if (depth > 0 && kind < 0.12) return `$(${inner()})`
  if (depth > 0 && kind < 0.18) return `"${random.pick(['', 'x '])}$(${inner()})"`
  if (depth > 0 && kind < 0.23) return `\`${simple(random, 0)}\``
  if (depth > 0 && kind < 0.26)
    return random.pick([`"\`${simple(random, 0)}\`"`, `\${x:-$(${inner()})}`, `<(${inner()})`])
  if (kind < 0.45) return `"${text}"`
  if (kind < 0.6) return `'${text.replace("'", '')}'`
  return text.replace(/[ ']/g, '')
}

/** What the shell itself runs commands with. */
const compound: readonly Make[] = [
  (random, depth) => `{ ${list(random, depth)}; }`,
  (random, depth) => `if ${list(random, depth)}; then ${list(random, depth)}; fi`,
  (random, depth) => `for x in 1 2; do ${list(random, depth)}; done`,
  (random, depth) => `case x in x) ${list(random, depth)};; esac`,
  (random, depth) => `f() { ${list(random, depth)}; }; f`,
  (random, depth) => `alias a=b; ${simple(random, depth)}`,
  (random, depth) => `cat <<E\n${list(random, depth)}\nE\n`,
  (random, depth) => `cat <<E\n$(${list(random, depth)})\nE\n`,
  (random, depth) => `! ${simple(random, depth)}`,
  (random, depth) => `x=a; $x ${word(random, depth)}`,
  (random, depth) => `x=$(${list(random, depth)}) a`,
]

const quoted = (line: string): string => `'${line.replaceAll("'", `'\\''`)}'`

/** Programs and built-ins that run others. */
const wrappers: readonly Make[] = [
  ...[
    'env ',
    'env -i ',
    'env -u x ',
    'env -- ',
    'env x=1 ',
    'sudo ',
    'sudo -n -u root ',
    'xargs ',
    'xargs -n 1 ',
    'echo b | xargs ',
  ].map(
    (start): Make =>
      (random, depth) =>
        start + simple(random, depth),
  ),
  ...['command ', 'exec ', 'builtin ', 'time ', 'nohup ', 'timeout 5 ', 'nice -n 1 ', 'eval '].map(
    (start): Make =>
      (random, depth) =>
        start + simple(random, depth),
  ),
  (random, depth) => `env ${random.pick(wrappers)(random, Math.max(0, depth - 1))}`,
  (random, depth) => `sudo ${random.pick(wrappers)(random, Math.max(0, depth - 1))}`,
  (random, depth) => `eval ${quoted(list(random, depth))}`,
  (random, depth) => `${random.pick(['sh', 'bash'])} -c ${quoted(list(random, depth))}`,
  (random, depth) =>
    `echo b | xargs -I{} ${random.pick(['{} x', `${name(random)} {}`, `${name(random)} x/{}`])} ${word(random, depth)}`,
  random =>
    `find . ${random.pick(['-exec', '-ok', '-execdir'])} ${name(random)} {} ${random.pick(['+', '\\;', "';'"])}`,
  random => `find . -exec ${name(random)} x \\; -exec ${name(random)} {} +`,
  (random, depth) =>
    `npm ${random.pick(['exec', 'x'])} ${random.pick(['-c', '--call'])} ${quoted(list(random, depth))}`,
  (random, depth) => `npm exec -- ${simple(random, depth)}`,
  (random, depth) => `npx ${random.pick(['', '-y ', '-p x '])}${simple(random, depth)}`,
  (random, depth) => `npx -c ${quoted(list(random, depth))}`,
  (random, depth) =>
    `docker ${random.pick(['run --rm', 'exec', '-H x run', 'run -e x=1'])} img ${simple(random, depth)}`,
  (random, depth) =>
    `pnpm ${random.pick(['', '', '-r ', 'exec ', '-r dlx ', 'add '])}${random.pick([simple, ...wrappers])(random, Math.max(0, depth - 1))}`,
  (random, depth) =>
    `yarn ${random.pick(['', '', 'run ', 'exec ', 'workspace x ', 'remove '])}${simple(random, depth)}`,
  random => gitLine(random),
  (random, depth) => `kubectl ${random.pick(['exec pod', '-n x exec pod -it'])} -- ${simple(random, depth)}`,
]
