import { commandReach } from './command-reach.ts'
import { namedBeginning } from './harmless-arguments.ts'
import { literally } from './pattern.ts'
import type { Subject } from './subject.ts'

/** Calls that a person can agree to beyond this one. */
export interface Proposal {
  /** The patterns as they are shown, and as the answer names them. */
  readonly text: string
  readonly patterns: readonly string[]
  /** The calls that the patterns cover, in words. */
  readonly covers: string
}

const longest = 500

/**
 * From narrow to broad. None where it cannot be told what the call does, nor for a command that deletes, overwrites,
 * publishes or is handed code: a person can say yes to such a call only once. Nor where a pattern about a command or a place would leave
 * other arguments open (`args`, `method`).
 */
export function propose(subject: Subject): readonly Proposal[] {
  const { name, texts, unknown, command, telling, more } = subject
  if (unknown) return []
  if (more) return command || telling ? [] : [wholeTool(name)]
  const given = texts.filter(text => text !== undefined && text.length <= longest) as string[]
  if (given.length !== texts.length) return command || telling ? [] : [wholeTool(name)]
  if (command) return proposeCommands(name, given)
  const exact = proposal(name, given, isExactly)
  if (!telling) return [exact, wholeTool(name)]
  return given.every(text => originOf(text)) ? [exact, proposal(name, given, isAtOrigin)] : [exact]
}

function proposeCommands(name: string, commands: readonly string[]): readonly Proposal[] {
  const reaches = commands.map(commandReach)
  if (reaches.includes('once')) return []
  const exact = proposal(name, commands, isExactly)
  const isAlike = (command: string) => commandReach(command) === 'alike' && !isFolderChange(command)
  const alike = proposal(name, commands, command =>
    outerOf(command, commands).every(isAlike) ? beginsLike(command) : isExactly(command),
  )
  return alike.text === exact.text ? [exact] : [exact, alike]
}

/**
 * The proposal that counts when an answer for longer names none: commands with the same beginning, exactly this file or
 * address, the whole tool where its arguments say nothing about the place.
 */
export const usual = ({ command, telling }: Subject, proposals: readonly Proposal[]): Proposal | undefined =>
  command || !telling ? proposals.at(-1) : proposals[0]

/** The command, and those of the line that stand for it: where a yes is to exactly `env -i pytest x` or `./bin/eslint x`, one to `pytest *` says something else. */
const outerOf = (command: string, commands: readonly string[]): readonly string[] =>
  commands.filter(one => one.endsWith(command) && /(^|[ /])$/.test(one.slice(0, -command.length)))

/** The calls that a no for longer forbids. A no may be broad: commands of the same program, or the whole tool. */
export function proposeDenial({ name, texts, unknown, command }: Subject): Proposal | undefined {
  if (unknown) return undefined
  const given = texts.filter(text => text !== undefined) as string[]
  if (!command || given.length !== texts.length) return wholeTool(name)
  // A no to `sudo ls` is one to sudo, and not to ls.
  const outer = given.filter(text => !given.some(other => other.endsWith(` ${text}`)))
  const done = outer.filter(text => !isFolderChange(text))
  return proposal(name, done.length ? done : outer, text => beginsLike(text, programOf(text)))
}

/** The `cd` of a line, or of a call with a `cwd`, says where and not what: a no is not about it, and a yes is for that folder. */
const isFolderChange = (command: string): boolean => command.startsWith('cd ')

/** A value for a pattern, and the calls that it covers in words. */
interface Likeness {
  readonly value: string
  readonly covers: string
}

const quoted = (text: string): string => `“${text}”`

function proposal(name: string, values: readonly string[], likeness: (text: string) => Likeness): Proposal {
  const alike = [...new Map(values.map(likeness).map(one => [one.value, one])).values()]
  const patterns = alike.map(({ value }) => `${name}(${value})`)
  return { text: patterns.join(', '), patterns, covers: `${name}: ${alike.map(({ covers }) => covers).join(', and ')}` }
}

const wholeTool = (name: string): Proposal => ({
  text: name,
  patterns: [name],
  covers: `${name}: every call, whatever its arguments`,
})

const isExactly = (text: string): Likeness => ({ value: literally(text), covers: `exactly ${quoted(text)}` })

function beginsLike(text: string, beginning: string = namedBeginning(text) ?? beginningOf(text)): Likeness {
  if (beginning === '' || text === beginning) return isExactly(text)
  return { value: `${literally(beginning)} *`, covers: `all that begins with ${quoted(beginning)}` }
}

/** Programs whose third word says what is done: `npm run build`, `python -m pytest`. */
const saysItThird = /^(?:(?:npm|pnpm|yarn|bun) (?:run|exec|x)|python[\d.]* -m|(?:cargo|go) (?:run|tool))$/

/** `node --test a.js` → `node --test`; `npm run build -w` → `npm run build`. Empty where only the whole says what is done. */
function beginningOf(text: string): string {
  const [program = '', second = '', third, ...rest] = text.split(' ')
  if (third === undefined || !/^-{0,2}[a-zA-Z][\w:-]*$/.test(second)) return ''
  const two = `${program} ${second}`
  if (!saysItThird.test(two)) return two
  return rest.length ? `${two} ${third}` : ''
}

/** `git commit -m x` → `git commit`; `rm x` → `rm`. */
function programOf(text: string): string {
  const [program = '', second = '', ...rest] = text.split(' ')
  return rest.length && /^[a-z][\w-]*$/.test(second) ? `${program} ${second}` : program
}

const originOf = (text: string): string | undefined => /^[a-z][a-z\d+.-]*:\/\/[^/]+/i.exec(text)?.[0]

function isAtOrigin(text: string): Likeness {
  const origin = originOf(text) ?? text
  return { value: `${literally(origin)}/*`, covers: `all at ${quoted(`${origin}/`)}` }
}
