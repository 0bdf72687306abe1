import {
  type OptionSpec,
  pastOptions,
  readFixed,
  readValue,
  refuseMadeOptions,
  Unknown,
  type Word,
  type Wrapped,
  wordOf,
} from './command-word.ts'

/** A package manager that takes a word that is none of its own commands for a script, or for a program to run. */
interface Manager {
  readonly name: string
  /** Options before its command. */
  readonly options: OptionSpec
  /** Its own commands, under which it runs no program that the line names: those that each version has. */
  readonly own: string
  /** Commands behind which a command stands. */
  readonly runs: RegExp
  /** Commands behind which one of its own commands stands, after as many words: `yarn workspace NAME CMD`. */
  readonly nests: Readonly<Record<string, number>>
  /** True where `run` runs programs too, and not scripts alone. */
  readonly runsPrograms: boolean
}

const pnpm: Manager = {
  name: 'pnpm',
  options: {
    flags:
      /^(-[rwsvh]+|--(recursive|workspace-root|silent|parallel|stream|aggregate-output|if-present|no-bail|bail|offline|prefer-offline|no-color|color|version|help|(filter|loglevel|reporter|workspace-concurrency)=.*))$/,
    values: /^(-F|-C|--(filter|loglevel|reporter|workspace-concurrency))$/,
  },
  own: `add audit bin completion config create dedupe deploy fetch help i import init install install-test it ci licenses link list ll la ln ls
    outdated pack prune publish rb rebuild remove rm root run run-script server setup start store t test tst un uninstall unlink
    up update upgrade why`,
  runs: /^(exec|dlx)$/,
  nests: { recursive: 0, multi: 0, m: 0 },
  runsPrograms: false,
}

const yarn: Manager = {
  name: 'yarn',
  options: {
    flags: /^(-[svh]|--(silent|offline|json|non-interactive|no-progress|version|help|cwd=.*))$/,
    values: /^--cwd$/,
  },
  own: `add audit bin cache check config create dedupe explain generate-lock-entry global help import info init install licenses link list login logout npm
    outdated owner pack policies publish rebuild remove run search set stage tag team test unlink unplug up upgrade upgrade-interactive version versions why
    workspaces`,
  runs: /^(exec|dlx)$/,
  nests: { workspace: 1 },
  runsPrograms: true,
}

const bun: Manager = {
  name: 'bun',
  options: {
    flags: /^(-[bvh]|--(bun|silent|watch|hot|smol|no-install|if-present|version|revision|help|(cwd|filter)=.*))$/,
    values: /^(-F|--(cwd|filter))$/,
  },
  own: `add audit completions create help i info init install link outdated pm publish remove repl rm run test unlink update upgrade
    why`,
  runs: /^x$/,
  nests: {},
  runsPrograms: true,
}

/** Commands that hand on all that stands behind them. */
const scripts = /^(run|run-script|test|t|tst|start)$/
/** Options that choose a shell or a settings file. */
const chooses = /^--(config\.|(no-)?(scr|shell|node-o|userc|globalc|npmrc|use-yarnrc))/

/** What is behind `pnpm`: a script of that name, or else the program. So is it with yarn and bun. */
const scriptCommands =
  (manager: Manager) =>
  (words: readonly Word[]): Wrapped => {
    const at = pastOptions(words, 1, manager.options)
    const [command, ...rest] = words.slice(at)
    const same = at > 1 ? [[wordOf(manager.name), ...words.slice(at)]] : []
    if (!command) return { same }
    const name = readFixed(command)
    if (Object.hasOwn(manager.nests, name)) return { same, runs: [nestedCommand(manager, name, rest)] }
    if (manager.runs.test(name)) return { same, runs: commandIn(rest) }
    if (!isOwn(manager, name))
      return { same: [...same, [wordOf(manager.name), wordOf('run'), ...words.slice(at)]], runs: [words.slice(at)] }
    return { same, runs: programsOf(manager, name, rest) }
  }

function nestedCommand(manager: Manager, name: string, rest: readonly Word[]): readonly Word[] {
  const skipped = manager.nests[name] ?? 0
  for (const word of rest.slice(0, skipped)) readFixed(word)
  return [wordOf(manager.name), ...rest.slice(skipped)]
}

const isOwn = ({ own }: Manager, name: string): boolean => own.split(/\s+/).includes(name)

function programsOf(manager: Manager, name: string, rest: readonly Word[]): readonly (readonly Word[])[] {
  if (!scripts.test(name)) {
    refuseMadeOptions(rest, { files: true })
    // `yarn workspaces foreach X` runs X in each.
    if (rest.some(({ text }) => chooses.test(text)) || name === 'workspaces') throw new Unknown()
  }
  if (!/^run/.test(name)) return []
  const runs = commandIn(rest)
  // `env` is a script that every package has.
  return manager.runsPrograms || runs[0]?.[0]?.text === 'env' ? runs : []
}

/** The command behind `run` or `exec`, whose options are not read. */
function commandIn(rest: readonly Word[]): readonly (readonly Word[])[] {
  const command = rest[0]?.text === '--' ? rest.slice(1) : rest
  if (readFixed(command[0]).startsWith('-')) throw new Unknown()
  return command.length ? [command] : []
}

const yarnScripts = scriptCommands(yarn)
const bunScripts = scriptCommands(bun)

export const pnpmCommands: (words: readonly Word[]) => Wrapped = scriptCommands(pnpm)

/** A path in front of yarn's command is a folder to run it in. */
export function yarnCommands(words: readonly Word[]): Wrapped {
  const first = readFixed(words[1])
  if (first.includes('/') && !first.startsWith('-')) throw new Unknown()
  return yarnScripts(words)
}

/** A file of JavaScript behind `bun` is a program of bun's own, as behind `node`. */
export function bunCommands(words: readonly Word[]): Wrapped {
  const first = readFixed(words[1])
  if (/^(-|-[ep]|--(eval|print)(=.*)?)$/.test(first)) return {}
  if (first === 'exec') return words.length === 3 ? { lines: [readValue(words[2])] } : refuse()
  const at = first === 'run' ? 2 : 1
  return isSource(readFixed(words[at])) ? {} : bunScripts(words)
}

const isSource = (text: string): boolean => /^[^-].*\.[cm]?[jt]sx?$/.test(text)

function refuse(): never {
  throw new Unknown()
}
