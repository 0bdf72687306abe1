import { hasHarmlessArguments } from './harmless-arguments.ts'

/**
 * How far a yes to a command may reach beyond this one call.
 *
 * | reach | a yes for longer covers |
 * |---|---|
 * | `once` | nothing: the command deletes, overwrites, publishes, or runs code that is on the line |
 * | `exact` | this very command: other arguments would do something else, or may |
 * | `alike` | commands with the same beginning, `node --test *`, and harmless arguments |
 */
export type CommandReach = 'once' | 'exact' | 'alike'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const deleting = words(
  'rm rmdir unlink shred srm dd truncate tee mkfs fdisk parted wipefs kill pkill killall reboot shutdown poweroff halt crontab sudo doas su eval exec source',
)
/** Programs that change what their arguments name, or send it elsewhere. */
const changing = words(
  'mv cp ln install chmod chown chgrp sed tar unzip zip gzip rsync scp sftp curl wget http nc docker podman kubectl helm terraform aws gcloud az gh psql mysql sqlite3 redis-cli mongosh systemctl service brew apt apt-get dnf pacman touch mkdir patch open xdg-open osascript',
)
const interpreters =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|perl|ruby|irb|php|lua|luajit|julia|R|Rscript|osascript|tclsh|wish|expect|octave|ghci|scala|groovy|groovysh|jshell|swift|pwsh|guile|sbcl|clisp|erl|iex|ocaml|gnuplot|m4)$/
const awks = words('awk gawk mawk nawk')
/** Arguments with which an interpreter runs code that is on the line, or that it is handed through a pipe. */
const codeFlags = /^(?:-|-[a-zA-Z]*[ceEpr]|--eval|--print|--command|eval|--eval=.*|--print=.*|--run=.*)$/
const gitOnce = words('push clean reset config filter-branch filter-repo update-ref gc')

/** Reach of one command of a shell line, or of a redirect or expansion in it. */
export function commandReach(text: string): CommandReach {
  if (/^(?:[<>]|[$`{])/.test(text)) return 'once'
  const [path = '', ...args] = text.split(' ')
  const program = path.split('/').at(-1) ?? ''
  if (deleting.has(program) || program.startsWith('mkfs.') || awks.has(program)) return 'once'
  if (interpreters.test(program) && isGivenCode(args)) return 'once'
  if (program === 'git' && gitOnce.has(args.find(arg => !arg.startsWith('-')) ?? '')) return 'once'
  return !changing.has(program) && hasHarmlessArguments(text) ? 'alike' : 'exact'
}

/** An interpreter without a script, a subcommand or a module reads code from a pipe. */
function isGivenCode(args: readonly string[]): boolean {
  const script = args.findIndex(arg => !arg.startsWith('-'))
  const options = script < 0 ? args : args.slice(0, script + 1)
  if (options.some(arg => codeFlags.test(arg))) return true
  return script < 0 && !args.some(arg => /^(?:--test|--version|-v|-V|--help|-h)\b/.test(arg))
}
