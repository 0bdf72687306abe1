import { parseArgs } from 'node:util'
import { type Command, commands, type Parsed } from './command-table.ts'
import { Mistake } from './mistake.ts'
import { hint } from './nearest.ts'

/** Finds the command; without one it is `chat`. */
export function findCommand(argv: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const [first = 'chat', ...rest] = argv
  const name = first.startsWith('-') ? 'chat' : first
  const command = commands.find(known => known.name === name)
  if (command) return { command, rest: name === first && argv.length ? rest : argv }
  const names = commands.map(known => known.name)
  throw new Mistake(`There is no command "${name}". ${hint(name, names)} turnbuckle --help lists them.`)
}

/** Reads a command's arguments. Throws a `Mistake` that says what is wrong. */
export function parseCommand(command: Command, args: readonly string[]): Parsed {
  const { name, usage, options = {}, words, takes } = command
  let parsed: Parsed
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    parsed = { values: values as Parsed['values'], positionals }
  } catch (error) {
    throw new Mistake(explain(error as Error, command))
  }
  const [least, most] = takes
  const { length } = parsed.positionals
  const seeHelp = `Usage: turnbuckle ${name} ${usage}`.trimEnd()
  if (length < least) throw new Mistake(`Something is missing. ${seeHelp}`)
  if (length > most) throw new Mistake(`"${parsed.positionals[most]}" is one word too many. ${seeHelp}`)
  const [word] = parsed.positionals
  if (words && word !== undefined && !words.includes(word))
    throw new Mistake(`"${word}" is not known here. ${hint(word, words)} ${seeHelp}`)
  return parsed
}

function explain(error: Error, { name, options = {} }: Command): string {
  const unknown = /Unknown option '(-{1,2})([^']*)'/.exec(error.message)
  if (!unknown) return `${error.message.split('. ')[0]}. turnbuckle ${name} --help shows the options.`
  const [, dashes, option = ''] = unknown
  const known = [...Object.keys(options), 'help']
  return `There is no option "${dashes}${option}". ${hint(option, known).replace(/"(.*)"/, '"--$1"')} turnbuckle ${name} --help shows them.`
}
