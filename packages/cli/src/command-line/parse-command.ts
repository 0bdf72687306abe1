import { parseArgs } from 'node:util'
import { type Command, commandTable, type ParsedCommand } from '../command-table.ts'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'

/** Finds the command; without one it is `chat`. */
export function findCommand(argv: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const [first = 'chat', ...rest] = argv
  const name = first.startsWith('-') ? 'chat' : first
  const command = commandTable.find(known => known.name === name)
  if (command) return { command, rest: name === first && argv.length ? rest : argv }
  const names = commandTable.map(known => known.name)
  throw new UserError(`There is no command "${name}". ${suggestNearest(name, names)} turnbuckle --help lists them.`)
}

/** Reads a command's arguments. Throws a `UserError` that says what is wrong. */
export function parseCommand(command: Command, args: readonly string[]): ParsedCommand {
  const { name, usage, options, words, takes } = command
  let parsed: ParsedCommand
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    parsed = { values: values as ParsedCommand['values'], positionals }
  } catch (error) {
    throw new UserError(explain(error as Error, command))
  }
  const [least, most] = takes
  const { length } = parsed.positionals
  const seeHelp = `Usage: turnbuckle ${name} ${usage}`.trimEnd()
  if (length < least) throw new UserError(`Something is missing. ${seeHelp}`)
  if (length > most) throw new UserError(`"${parsed.positionals[most]}" is one word too many. ${seeHelp}`)
  const [word] = parsed.positionals
  if (words.length && word !== undefined && !words.includes(word))
    throw new UserError(`"${word}" is not known here. ${suggestNearest(word, words)} ${seeHelp}`)
  return parsed
}

function explain(error: Error, { name, options }: Command): string {
  const unknown = /Unknown option '(-{1,2})([^']*)'/.exec(error.message)
  if (!unknown) return `${error.message.split('. ')[0]}. turnbuckle ${name} --help shows the options.`
  const [, dashes, option = ''] = unknown
  const known = [...Object.keys(options), 'help']
  return `There is no option "${dashes}${option}". ${suggestNearest(option, known).replace(/"(.*)"/, '"--$1"')} turnbuckle ${name} --help shows them.`
}
