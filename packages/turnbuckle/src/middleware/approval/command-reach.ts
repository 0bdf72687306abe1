import { hasHarmlessArguments } from './harmless-arguments.ts'

/**
 * How far a yes to a command may reach beyond this one call.
 *
 * | reach | a yes for longer covers |
 * |---|---|
 * | `once` | nothing: the command deletes, overwrites, publishes, or runs code that is on the line or comes through a pipe |
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
/** Programs that obey what comes through a pipe, which is no part of the command, unless an argument says what to do. */
const obeying = words('bc dc ed ex ftp gdb mariadb mongosh mysql patch psql sftp sqlite3 telnet')
const saysWhat = /^(?:-\w*[ceif]|--(?:command|execute|eval|file|input)(?:=.*)?)$/
const gitOnce = words('push clean reset config filter-branch filter-repo update-ref gc')

/** Reach of one command of a shell line, or of a redirect or expansion in it. */
export function commandReach(text: string): CommandReach {
  if (/^(?:[<>]|[$`{])/.test(text)) return 'once'
  const [path = '', ...args] = text.split(' ')
  const program = path.split('/').at(-1) ?? ''
  if (deleting.has(program) || program.startsWith('mkfs.') || awks.has(program)) return 'once'
  if (interpreters.test(program) && isGivenCode(args)) return 'once'
  if (program === 'git' && gitOnce.has(args.find(arg => !arg.startsWith('-')) ?? '')) return 'once'
  if (!changing.has(program) && hasHarmlessArguments(text)) return 'alike'
  return obeysPipe(program, args) ? 'once' : 'exact'
}

/** `make -f -`, `psql shop`: another line brings other commands by the same words. */
function obeysPipe(program: string, args: readonly string[]): boolean {
  if (args.includes('-')) return true
  if (!obeying.has(program) || args.some(arg => saysWhat.test(arg))) return false
  return program !== 'sqlite3' || args.filter(arg => !arg.startsWith('-')).length < 2
}

/** An interpreter without a script, a subcommand or a module reads code from a pipe. */
function isGivenCode(args: readonly string[]): boolean {
  const script = args.findIndex(arg => !arg.startsWith('-'))
  const options = script < 0 ? args : args.slice(0, script + 1)
  if (options.some(arg => codeFlags.test(arg))) return true
  return script < 0 && !args.some(arg => /^(?:--test|--version|-v|-V|--help|-h)\b/.test(arg))
}
