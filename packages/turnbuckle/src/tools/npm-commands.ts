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

/** Options of npm that choose a shell, a program or a settings file, also where they are shortened. */
const chooses = /^--(no-)?(scr|shell|node-o|userc|globalc|git(=|$)|ed|viewer|br)/
/** `-c`, `--call` and what npm takes for it: the line behind it goes to a shell. */
const calls = /^-+(c|call?)(=|$)/
/** Short options in one word, of which one may be `-c`. */
const cluster = /^-(?=[a-zA-Z]+$)[^c]*c/

const options: OptionSpec = {
  flags:
    /^(-[dfgsyqSDEOBPlnv]+|-ws|--[\w-]+=.*|--(yes|no|workspaces|silent|quiet|global|save|save-dev|json|force|dry-run|offline|prefer-offline|ignore-scripts|foreground-scripts|if-present|include-workspace-root|version|help|long|parseable|no-[\w-]+))$/,
  values: /^(-C|-w|-c|--(call?|prefix|workspace|loglevel|registry|tag|omit|include|cache|package|access|otp|depth))$/,
}

/** Names that npm takes for a command, by the command. */
const names: Readonly<Record<string, string>> = {
  bugs: 'issues',
  ci: 'clean-install ic install-clean isntall-clean',
  config: 'c',
  dedupe: 'ddp',
  'dist-tag': 'dist-tags',
  docs: 'home',
  exec: 'x',
  explain: 'why',
  help: 'hlep',
  init: 'innit create',
  install: 'i in ins inst insta instal isnt isnta isntal isntall add',
  'install-ci-test': 'cit clean-install-test sit',
  'install-test': 'it',
  link: 'ln',
  ll: 'la',
  ls: 'list',
  org: 'ogr',
  owner: 'author',
  rebuild: 'rb',
  run: 'run-script rum urn',
  search: 'find s se',
  test: 't tst',
  uninstall: 'un unlink remove rm r',
  update: 'u up upgrade udpate',
  version: 'verison',
  view: 'v info show',
}
const aliases = new Map(
  Object.entries(names).flatMap(([command, all]) => all.split(' ').map(alias => [alias, command] as const)),
)
const commands =
  `access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor edit exec explain explore
  find-dupes fund get help help-search hook init install install-ci-test install-scripts install-test link ll login logout ls org outdated owner pack ping
  pkg prefix profile prune publish query rebuild repo restart root run sbom search set shrinkwrap stage star stars start stop team test token trust
  undeprecate uninstall unpublish unstar update version view whoami`.split(/\s+/)

/** The commands of npm that a word may mean: npm completes one that is shortened, and takes `runScript` for `run-script`. */
function meanings(given: string): readonly string[] {
  const word = given.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  if (commands.includes(word)) return [word]
  const begun = aliases.has(word) ? [word] : [...commands, ...aliases.keys()].filter(name => name.startsWith(word))
  return [...new Set(begun.map(name => aliases.get(name) ?? name))]
}

/** `npm --prefix x run y` is `npm run y`; what `exec` runs is a command, and what `-c` has is a line, wherever it stands. */
export function npmCommands(words: readonly Word[]): Wrapped {
  const dashes = words.findIndex(({ text }) => text === '--')
  const own = dashes < 0 ? words : words.slice(0, dashes)
  refuseMadeOptions(own.slice(1), { files: true })
  const lines = callsIn(own)
  const at = pastOptions(words, 1, options)
  const [command, ...rest] = words.slice(at)
  if (!command) return { lines }
  const meant = meanings(readFixed(command))
  const same = meant.map(name => [wordOf('npm'), wordOf(name), ...rest])
  if (/^(explore|edit)$/.test(meant[0] ?? '')) throw new Unknown()
  return { same, lines, runs: meant.flatMap(name => runBy(name, behindOptions(words, at + 1))) }
}

/** `npm run env` is a script that every package has: the program `env`, with what stands behind it. */
function runBy(command: string, behind: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  if (command === 'exec') return behind
  return command === 'run' ? behind.filter(([script]) => script && readFixed(script) === 'env') : []
}

export function npxCommands(words: readonly Word[]): Wrapped {
  const first = pastOptions(words, 1, npxOptions)
  return { lines: callsIn(words.slice(0, first)), runs: first < words.length ? [words.slice(first)] : [] }
}
const npxOptions: OptionSpec = {
  flags: /^(-[yq]|--(yes|no|no-install|quiet|bun)|--(package|call?)=.*)$/,
  values: /^(-p|-c|--(package|call?))$/,
}

/** `pnpm exec`, `bundle exec`, `uv run`: a command behind a subcommand. Their options are not read. */
export const packageRunner =
  (subcommand: RegExp) =>
  (words: readonly Word[]): Wrapped => {
    const at = words.findIndex(({ text }) => subcommand.test(text))
    readFixed(words[1])
    if (at < 0) return {}
    if (at > 1 || words[2]?.text.startsWith('-')) throw new Unknown()
    return { runs: words.length > 2 ? [words.slice(2)] : [] }
  }

/** `corepack pnpm@9 exec x` is `pnpm exec x`. */
export function corepackCommands([, program, ...rest]: readonly Word[]): Wrapped {
  const [name = ''] = readFixed(program).split('@')
  return /^(npm|npx|pnpm|pnpx|yarn|yarnpkg)$/.test(name) ? { runs: [[wordOf(name), ...rest]] } : {}
}

function behindOptions(words: readonly Word[], at: number): readonly (readonly Word[])[] {
  const first = pastOptions(words, at, options)
  // npm reads options also behind the command, up to `--`.
  const command = words.slice(first).filter(({ text }) => text !== '--')
  return command.length ? [command] : []
}

/** The lines of `-c`. Throws where one cannot be read, or where an option chooses what runs. */
function callsIn(words: readonly Word[]): string[] {
  return words.flatMap((word, i) => {
    const { text } = word
    // npm takes any number of dashes for two.
    const option = text.replace(/^-+/, '--')
    if (/^---/.test(text) || chooses.test(option) || (word.dynamic && text.startsWith('-'))) throw new Unknown()
    if (!calls.test(text)) {
      if (cluster.test(text) && i > 0) throw new Unknown()
      return []
    }
    const value = text.includes('=') ? { ...word, text: text.slice(text.indexOf('=') + 1) } : words[i + 1]
    if (!value || value.dynamic) throw new Unknown()
    return [readValue(value)]
  })
}
