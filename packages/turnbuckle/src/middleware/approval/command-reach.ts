/**
 * How far a yes to a command may reach beyond this one call.
 *
 * | reach | a yes for longer covers |
 * |---|---|
 * | `once` | nothing: the command deletes, overwrites, publishes, or runs code that is on the line |
 * | `exact` | this very command: other arguments would do something else |
 * | `alike` | commands with the same beginning: `node --test *` |
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
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|perl|ruby|php|lua|julia|Rscript|osascript)$/
const awks = words('awk gawk mawk nawk')
/** Arguments with which an interpreter runs code that is on the line, or that it is handed through a pipe. */
const codeFlags = /^(?:-|-[a-zA-Z]*[ceEpr]|--eval|--print|--command|eval|--eval=.*|--print=.*|--run=.*)$/
const gitOnce = words('push clean reset config filter-branch filter-repo update-ref gc')
const gitAlike = words('status log diff show add commit fetch blame grep ls-files rev-parse describe shortlog')

/** Reach of one command of a shell line, or of a redirect or expansion in it. */
export function commandReach(text: string): CommandReach {
  if (/^(?:[<>]|[$`{])/.test(text)) return 'once'
  const [path = '', ...args] = text.split(' ')
  const program = path.split('/').at(-1) ?? ''
  if (deleting.has(program) || program.startsWith('mkfs.') || awks.has(program)) return 'once'
  if (interpreters.test(program)) return interpreterReach(args)
  if (program === 'git') return gitReach(args)
  return changing.has(program) ? 'exact' : 'alike'
}

/** Options come before the script and change what runs; `--test` and `-m MODULE` say what runs. */
function interpreterReach(args: readonly string[]): CommandReach {
  if (isGivenCode(args)) return 'once'
  return args[0]?.startsWith('-') && !/^(?:--test|-m)$/.test(args[0]) ? 'exact' : 'alike'
}

/** An interpreter without a script, a subcommand or a module reads code from a pipe. */
function isGivenCode(args: readonly string[]): boolean {
  const script = args.findIndex(arg => !arg.startsWith('-'))
  const options = script < 0 ? args : args.slice(0, script + 1)
  if (options.some(arg => codeFlags.test(arg))) return true
  return script < 0 && !args.some(arg => /^(?:--test|--version|-v|-V|--help|-h)\b/.test(arg))
}

function gitReach(args: readonly string[]): CommandReach {
  const [subcommand = ''] = args.filter(arg => !arg.startsWith('-'))
  if (gitOnce.has(subcommand)) return 'once'
  return args[0] === subcommand && gitAlike.has(subcommand) ? 'alike' : 'exact'
}
