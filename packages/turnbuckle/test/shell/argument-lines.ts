import type { Random } from '../same/random.ts'
import { stubNames } from './shell-lines.ts'

const words = ['x', '-n', '2', '10', '{x}', '-', '""', '"y"', '"2"', 'a{x}', '\\2', '--']
const redirects = [
  ...['>f', '> f', '>>f', '2>f', '2> f', '10>f', '<f', '2<>f', '>|f', '&>f', '&> f', '&>>f', '{v}>f', '{v[1]}>f'],
  ...['>&2', '2>&1', '>&-', '2>&-', '>& -', '<&-', '2>&1-', '{v}>&-', '>&f', '2>/dev/null', '&>/dev/null', '>'],
]
const joins = [' ', ' ', ' ', '', '\t', '\\\n', ' \\\n']

/** A command or two with redirects among their arguments, and line breaks behind backslashes anywhere. */
export function argumentLine(random: Random): string {
  const commands = random.list(1, 2, () => argumentCommand(random))
  const line = commands.join(random.pick(['; ', ' && ', '&', ' | ', '\n']))
  if (random.chance(0.7)) return line
  const at = random.below(line.length + 1)
  return `${line.slice(0, at)}\\\n${line.slice(at)}`
}

function argumentCommand(random: Random): string {
  let line = random.pick(stubNames)
  for (const next of random.list(1, 5, () => random.pick(random.chance(0.4) ? redirects : words)))
    line += random.pick(joins) + next
  return line
}
