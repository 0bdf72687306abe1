import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writtenFile } from './git-lines.ts'
import { stubNames } from './shell-lines.ts'

const bash = '/bin/bash'
export const hasBash: boolean = existsSync(bash)
/** The real git runs what its options say; without it those lines run nothing. */
export const hasGit: boolean = existsSync('/usr/bin/git')

/** Programs of the system that run others, as they are. */
const real = ['env', 'xargs', 'find', 'echo', 'cat', 'sh', 'bash', 'nohup', 'timeout', 'nice', 'git']

/** Programs that run others, in the part of their command line that the lines use. `$LOG` is the file that says what ran. */
const stands: Readonly<Record<string, string>> = {
  sudo: 'while :; do case $1 in -n) shift;; -u) shift 2;; --) shift; break;; *) break;; esac; done; exec "$@"',
  npx: 'case $1 in -y) shift;; -p) shift 2;; esac; case $1 in -c) exec sh -c "$2";; *) exec "$@";; esac',
  npm: 'case $1 in exec|x) shift;; *) exit;; esac; case $1 in -c|--call) exec sh -c "$2";; --) shift;; esac; exec "$@"',
  docker:
    'case $1 in -H) shift 2;; esac; case $1 in run|exec) shift;; *) exit;; esac; while :; do case $1 in --rm) shift;; -e) shift 2;; --) shift; break;; *) break;; esac; done; shift; exec "$@"',
  pnpm: 'case $1 in -r) shift;; esac; case $1 in exec|dlx) shift;; add|rm) exit;; esac; exec "$@"',
  yarn: 'case $1 in exec|run) shift;; workspace) shift 2;; add|remove) exit;; esac; exec "$@"',
  kubectl:
    'case " $* " in *" exec "*) ;; *) exit;; esac; while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done; shift; exec "$@"',
}

/** Reads lines and runs each in a process of its own; a line is over when all that it has started has let go of descriptor 9. */
const loop = `i=0
while IFS= read -r -d '' line; do
  printf '#%d\\n' "$i" >> "$LOG"
  IFS= read -r -d '' _ < <( (eval "$line") 9>&1 > /dev/null 2>&1 < /dev/null )
  i=$((i + 1))
done
: > "$DONE"`

/** A real bash in an empty folder, with no command on its path but stubs that note that they ran. */
export class RealBash {
  readonly #folder = mkdtempSync(join(tmpdir(), 'turnbuckle-shell-'))
  readonly #log = join(this.#folder, 'log')
  readonly #bin = join(this.#folder, 'bin')
  readonly #cwd = join(this.#folder, 'cwd')
  readonly #done = join(this.#folder, 'done')

  constructor() {
    mkdirSync(this.#bin)
    mkdirSync(this.#cwd)
    for (const name of stubNames) this.#put(name, '')
    for (const [name, script] of Object.entries(stands)) this.#put(name, script)
    for (const name of real) symlinkSync(`/usr/bin/${name}`, join(this.#bin, name))
  }
  #put(name: string, script: string): void {
    const path = join(this.#bin, name)
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "${name}\${ARGUMENTS:+ $*}" >> ${this.#log}\n${script}\n`)
    chmodSync(path, 0o755)
  }

  /** Names of the stubs that each line has run. */
  run(lines: readonly string[]): readonly (readonly string[])[] {
    writeFileSync(this.#log, '')
    rmSync(this.#done, { force: true })
    const input = lines.map(line => `${line}\0`).join('')
    const env = { PATH: this.#bin, LOG: this.#log, DONE: this.#done, HOME: this.#cwd }
    spawnSync(bash, ['--norc', '-c', loop], {
      cwd: this.#cwd,
      env,
      input,
      timeout: 1_800_000,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const begun = readFileSync(this.#log, 'utf8').match(/^#\d+$/gm)?.length ?? 0
    // A line that hangs would leave those behind it unseen.
    if (begun < lines.length || !existsSync(this.#done)) throw new Error(`bash did not come past ${lines[begun - 1]}`)
    return this.#ran(lines.length)
  }
  /** As `run`, for one line as a program gives it to a shell. */
  runAlone(line: string): readonly string[] {
    writeFileSync(this.#log, '#0\n')
    // No editor: a rebase goes on with its list as it is.
    const env = { PATH: this.#bin, HOME: this.#cwd, GIT_EDITOR: ':' }
    this.#runToEnd(bash, line, env)
    return this.#ran(1)[0] ?? []
  }
  /** The stubs that one line has run, each with its arguments, in a shell of the system. */
  commandsOf(line: string, program: string): readonly string[] {
    writeFileSync(this.#log, '#0\n')
    const env = { PATH: this.#bin, HOME: this.#cwd, ARGUMENTS: '1' }
    this.#runToEnd(program, line, env)
    return this.#ran(1)[0] ?? []
  }
  /** Runs a line until all that it has started has let go of descriptor 9: what one leaves behind would be taken for the next one's. */
  #runToEnd(program: string, line: string, env: Readonly<Record<string, string>>): void {
    const stdio = Array.from({ length: 10 }, (_, i) => (i < 3 || i === 9 ? 'pipe' : 'ignore'))
    spawnSync(program, ['-c', `${line}\nwait`], { cwd: this.#cwd, env, input: '', timeout: 10_000, stdio })
  }
  /** Makes the folder a repository of git with two commits. */
  makeRepository(): void {
    const commit = 'git add x && git -c user.name=n -c user.email=e commit -qm m'
    const script = `git init -q && echo x > x && ${commit} && echo xx > x && ${commit}`
    spawnSync(bash, ['-c', script], { cwd: this.#cwd, env: { PATH: this.#bin, HOME: this.#cwd } })
  }
  /** The stubs that a line has run, and whether it wrote the file that only an option of git names. */
  runGit(line: string): { readonly ran: readonly string[]; readonly wrote: boolean } {
    const file = join(this.#cwd, writtenFile)
    const ran = this.runAlone(line)
    const wrote = existsSync(file)
    rmSync(file, { recursive: true, force: true })
    return { ran, wrote }
  }
  #ran(count: number): string[][] {
    const ran: string[][] = Array.from({ length: count }, () => [])
    let at = 0
    for (const line of readFileSync(this.#log, 'utf8').split('\n'))
      if (line.startsWith('#')) at = Number(line.slice(1))
      else if (line) ran[at]?.push(line)
    return ran
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
