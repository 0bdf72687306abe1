/** Arguments that a yes to a command with other arguments may cover: none of them writes a file or runs code that the person was not shown. */
interface Row {
  /** The beginning of the command, which says what is done. */
  readonly begins: RegExp
  /** Options, each with its value where that is one word. An option that is not here is asked about. */
  readonly options: RegExp
  /** Arguments that are no options, and values of options that are words of their own. */
  readonly plain: RegExp
}

const anything = /^/
/** A file, a folder or a name of the project: nothing outside of it, no pattern of the shell's, no list of arguments (`@file`), no setting (`a=b`). */
const inProject = /^(?![~/@*?[+])(?!.*(^|\/)\.\.(\/|$))(?!.*(=|:\/\/))/s
const testName = '(?:tests?|test_\\w+|\\w+_tests?|Test\\w*|\\w+Tests?|\\w+TestCase)'
/** Files and names of tests of the project: unittest calls whatever a name leads to, and `code.interact` runs what comes through a pipe. */
const unittests = new RegExp(`^(?!/)(?!.*\\.\\.)(?:discover|[\\w./-]+\\.py|${testName}(?:\\.${testName})*)$`)
/** A word that no shell makes an option of. */
const fixed = /^(?![*?[])/

/** Programs that read and print, whatever their options. */
const reading =
  /^(basename|cat|cksum|cmp|column|comm|cut|df|diff|dirname|du|echo|egrep|expand|expr|false|fgrep|fmt|fold|grep|groups|head|hexdump|id|join|jq|ls|md5sum|nl|nproc|od|paste|printf|ps|pwd|readlink|realpath|rev|seq|sha1sum|sha256sum|sha512sum|sleep|stat|strings|tac|tail|test|tr|true|type|uname|unexpand|uptime|wc|which|whoami)(?= |$)/

const rows: readonly Row[] = [
  { begins: reading, options: anything, plain: anything },
  {
    begins: /^git (add|blame|commit|describe|diff|grep|log|ls-files|rev-parse|shortlog|show|status)(?= |$)/,
    // Git takes options shortened. These name a file to write, or a program.
    options: /^(?!--(o$|o=|ou|op|ext|textc)|-\w*O)/,
    plain: fixed,
  },
  {
    begins: /^git fetch(?= |$)/,
    options: /^(-[avqpt]+|--(all|prune|tags|no-tags|verbose|quiet|dry-run|depth=\d+))$/,
    // Neither a branch to write nor an address that says how to reach it.
    plain: /^(?!.*\.\.)[\w.][\w./-]*$/,
  },
  {
    begins: /^node --test(?= |$)/,
    options:
      /^--(test-(only|force-exit|(name|skip)-pattern(=.*)?|(concurrency|timeout)=\d+|shard=[\d/]+|isolation=\w+|reporter=(spec|tap|dot|junit|lcov))|watch|no-warnings|enable-source-maps|experimental-(strip-types|test-coverage|test-module-mocks))$/,
    plain: inProject,
  },
  {
    // `yarn run` and `bun run` run programs too.
    begins: /^((npm|pnpm|yarn) (test|t|tst|start)|(npm|pnpm) (run|run-script) (?!env(?: |$))[\w@][\w:.@/-]*)(?= |$)/,
    options: /^(-s|--|--(silent|quiet|verbose|watch|bail|ci|run))$/,
    plain: inProject,
  },
  {
    begins: /^vitest( (run|watch|related|list)(?= |$)|(?= -|$))/,
    options:
      /^(-[tw]|--(run|watch|silent|bail=\d+|no-typecheck|no-coverage|passWithNoTests|testNamePattern(=.*)?|reporter=(default|basic|verbose|dot|tap|tap-flat|tree|minimal)))$/,
    plain: inProject,
  },
  {
    begins: /^jest(?= |$)/,
    options: /^(-[tib]|--(testNamePattern(=.*)?|runInBand|bail(=\d+)?|ci|silent|verbose|watch|watchAll|no-coverage))$/,
    plain: inProject,
  },
  { begins: /^mocha(?! init)(?= |$)/, options: /^(-[gb]|--(grep(=.*)?|bail|exit))$/, plain: inProject },
  { begins: /^bun test(?= |$)/, options: /^(-t|--(bail(=\d+)?|timeout=\d+|watch|only|todo))$/, plain: inProject },
  {
    begins: /^(pytest|python[\d.]* -m pytest)(?= |$)/,
    options:
      /^(-[qvxsl]+|-[km]|-r[\w]*|--(lf|ff|sw|last-failed|failed-first|quiet|verbose|exitfirst|collect-only|co|no-header|tb=\w+|color=\w+|(maxfail|durations)=\d+))$/,
    plain: inProject,
  },
  { begins: /^python[\d.]* -m unittest(?= |$)/, options: /^-([vqfb]+|k)$/, plain: unittests },
  {
    begins: /^eslint(?= |$)/,
    options: /^--(quiet|color|no-color|max-warnings(=\d+)?)$/,
    plain: inProject,
  },
  {
    begins: /^prettier (--check|-c)(?= |$)/,
    options: /^(-[cul]|--(check|list-different|ignore-unknown|no-color|log-level=\w+))$/,
    plain: inProject,
  },
  {
    begins: /^biome (check|ci|format|lint)(?= |$)/,
    options: /^--(error-on-warnings|max-diagnostics=\w+|colors=\w+|verbose|no-errors-on-unmatched)$/,
    plain: inProject,
  },
  {
    begins: /^go (test|vet)(?= |$)/,
    options: /^-(v|race|short|failfast|json|benchmem|cover|(run|bench)(=.*)?|(count|parallel)=\d+|timeout=\w+)$/,
    plain: inProject,
  },
  {
    begins: /^cargo (bench|build|check|clippy|test)(?= |$)/,
    options:
      /^(--|-[vq]+|-p|-j\d*|--(release|lib|bins|tests|examples|all|workspace|all-targets|all-features|no-default-features|locked|offline|frozen|no-run|no-fail-fast|nocapture|quiet|verbose))$/,
    plain: inProject,
  },
  {
    begins: /^sort(?= |$)/,
    options:
      /^(-[bcCdfgiMhnRrsuVz]+|-k[\d.,bdfginr]*|-t.?|--(reverse|unique|stable|check|(numeric|general-numeric|human-numeric|version|month|random)-sort|ignore-case|key=.*|field-separator=.*))$/,
    plain: fixed,
  },
  {
    begins: /^find(?= |$)/,
    options:
      /^-([HLP]|i?name|i?path|i?regex|type|size|[acm]time|[acm]min|newer|maxdepth|mindepth|not|o|or|a|and|print0?|empty|perm|user|group|prune|depth|xdev|mount|readable|executable|ls|quit)$/,
    plain: anything,
  },
  {
    begins: /^rg(?= |$)/,
    options:
      /^(-[inwlcvoFSHLNhUsx]+|-[ABCmgtTe]\d*|--(files|hidden|count|no-ignore|multiline|ignore-case|smart-case|line-number|fixed-strings|word-regexp|files-with-matches|(glob|type|sort)=.*))$/,
    plain: fixed,
  },
  { begins: /^tree(?= |$)/, options: /^-[adflLDhspCrt]+$/, plain: fixed },
  { begins: /^file(?= |$)/, options: /^-[bihLNkr]+$/, plain: fixed },
  {
    begins: /^date(?= |$)/,
    options: /^(-(u|R|I\w*)|--(utc|date=.*|rfc-3339=\w+|iso-8601(=\w+)?))$/,
    plain: /^\+/,
  },
]

/** Programs of package managers that run the tool behind them: one of the project, whatever the system has of that name. */
const runner = /^(?:npx|pnpx|bunx|bun x|(?:npm|pnpm|yarn) exec|pnpm|yarn run|yarn) (?!-)/

/**
 * True where a yes to commands with this beginning covers this one too. A program that is not known may write what its last argument names,
 * or run it: of such a one each command is a question of its own.
 */
export function hasHarmlessArguments(command: string): boolean {
  const row = rowOf(command)
  if (row) return fits(row, command)
  const tool = command.replace(runner, '')
  const toolRow = tool === command ? undefined : rowOf(tool)
  return toolRow?.plain === inProject && fits(toolRow, tool)
}

/**
 * The beginning that such a yes is to, where the command is of a program that takes names of the project: `eslint` of `npx eslint src` too, so
 * that the two commands of one line begin alike.
 */
export function namedBeginning(command: string): string | undefined {
  const tool = rowOf(command) ? command : command.replace(runner, '')
  const row = rowOf(tool)
  const begun = row && row.plain !== anything && row.plain !== fixed ? row.begins.exec(tool)?.[0] : undefined
  return begun && command.slice(0, command.length - tool.length) + begun
}

const rowOf = (command: string): Row | undefined => rows.find(({ begins }) => begins.test(command))

const fits = ({ begins, options, plain }: Row, command: string): boolean =>
  command
    .replace(begins, '')
    .split(' ')
    .every(arg => arg === '' || (arg.startsWith('-') ? options : plain).test(arg))
