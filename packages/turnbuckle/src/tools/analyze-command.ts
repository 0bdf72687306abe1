import { hasBraces, Unknown, type Word } from './command-word.ts'
import { wrappedCommands } from './wrapped-commands.ts'

/** Programs and words that run what their arguments say: what they do cannot be read off the line. */
const runners: ReadonlySet<string> = new Set(
  `! . [[ abduco alacritty alias apptainer arch ash at aws-vault bash batch bind builtin busybox bwrap c8 caffeinate capsh case cgexec chamber chpst chronic
  chroot chrt cmd command compgen complete concurrently coproc cpulimit cross-env cross-env-shell crun csh dash dbus-launch dbus-run-session declare
  distrobox distrobox-enter do doas done dotenv dtach dumb-init eatmydata elif else emacs enable entr envconsul envdir envuidgid eval eview evim ex exec
  expect export fakechroot fakeroot faketime fc fi firejail fish flatpak-spawn flock for function gdb getopts gnome-terminal gosu gview gvim gvimdiff hash
  hyperfine i386 i486 i586 i686 if ifne incus ionice jobs kitty konsole ksh let linux32 linux64 lldb local ltrace lxc lxc-attach machinectl mapfile mispipe
  mksh mosh newgrp nice nix-shell nodemon nohup npm-run-all nq nsenter nu numactl nvim nvimdiff nyc onchange parallel pdsh pee perf pkexec powershell prlimit
  proot proxychains proxychains4 pwsh rbash read readarray readonly retry rgvim rlwrap run-one run-parts run0 runc runcon runuser rview rvim sandbox-exec
  screen script select sem set setarch setlock setpriv setsid setuidgid sg sh shopt singularity softlimit source ssh ssh-agent sshpass start-server-and-test
  start-stop-daemon stdbuf strace su su-exec systemd-cat systemd-inhibit systemd-nspawn systemd-run systemd-socket-activate taskset tcsh then time timelimit
  timeout tini tmux toolbox torify torsocks toybox trap typeset uname26 unbuffer unset unshare until valgrind vi view vim vimdiff watch watchexec while wsl
  x-terminal-emulator x86_64 xcrun xinit xterm xvfb-run zellij zsh`.split(/\s+/),
)
/** By program: arguments with which it runs or sets what they say. */
const running: Readonly<Record<string, RegExp>> = {
  ack: /^--pager/,
  ag: /^--pager/,
  asdf: /^exec$/,
  bat: /^--pager/,
  cabal: /^exec$/,
  cargo: /^--config/,
  cmake: /^-E$/,
  composer: /^exec$/,
  conda: /^run$/,
  crictl: /^exec$/,
  ctr: /^exec$/,
  deno: /^(--ev|x$)/,
  devbox: /^(run|shell)$/,
  direnv: /^exec$/,
  doppler: /^run$/,
  diff3: /^--d/,
  dotenvx: /^run$/,
  dune: /^exec$/,
  fd: /^(-\w*[xX]|--exec)/,
  fdfind: /^(-\w*[xX]|--exec)/,
  flatpak: /^(run|enter)$/,
  fnm: /^exec$/,
  foreman: /^run$/,
  gem: /^exec$/,
  go: /^--?(exec|toolexec|vettool)(=|$)/,
  goenv: /^exec$/,
  guix: /^(shell|environment|time-machine|container)$/,
  honcho: /^run$/,
  infisical: /^run$/,
  install: /^--str/,
  ip: /^exec$/,
  jenv: /^exec$/,
  lerna: /^exec$/,
  mamba: /^run$/,
  man: /^(-\w*[PH]|--(pa|h))/,
  micromamba: /^run$/,
  mise: /^(exec|x)$/,
  mix: /^cmd$/,
  nc: /^-\w*[ec]/,
  ncat: /^(-\w*[ec]|--(e|sh|lua))/,
  netcat: /^-\w*[ec]/,
  nix: /^(run|shell|develop)$/,
  nodenv: /^exec$/,
  nx: /^exec$/,
  oc: /^rsh$/,
  op: /^run$/,
  opam: /^exec$/,
  pixi: /^(run|exec|shell)$/,
  plenv: /^exec$/,
  podman: /^unshare$/,
  printf: /^-v/,
  pyenv: /^exec$/,
  rbenv: /^exec$/,
  rg: /^--(pre|hostname-bin)(=|$)/,
  rsync: /^(-\w*e|--(rsh|rsy))/,
  rustup: /^run$/,
  rvm: /^do$/,
  scp: /^-\w*[SDo]/,
  sdiff: /^--d/,
  sftp: /^-\w*[SDo]/,
  snap: /^run$/,
  sort: /^--co/,
  split: /^--fi/,
  stack: /^(exec|run|runghc|runhaskell)$/,
  tcpdump: /^-\w*z/,
  test: /^-v$/,
  tox: /^exec$/,
  volta: /^run$/,
  wait: /^-\w*p/,
  wget: /^--use-a/,
}
/** The system's loader, which runs the program that it is given. */
const loader = /^ld(-[\w-]+)?\.so/
const operators: readonly string[] = ['&&', '||', ';;', '|&', ';', '|', '&', '\n', '(', ')']
const redirect = /^(\d*)(>>|>\||>&|<&|<>|>|<)/
/** What `>&` may name. Bash takes `>&-push` for `>&-` and an argument, and expands the name of a file twice: `>&'$(rm x)'` runs `rm x`. */
const copied = /^(-|[\w./~+][\w./~+-]*)$/
/** A sign that a line break behind a backslash cuts off from its bracket: bash joins the two, also in double quotes. */
const cutSign = /[$<>]\\\n/
const maxLength = 10_000

/**
 * Every command in a shell line, so that a rule is checked against each: the ones joined by `&&`, `||`, `;`, `|`, `&` and
 * line ends, in parentheses, and inside `$(…)` and backticks. Quotes and escapes are taken off (`r\m` is `rm`). A program
 * given by its path is listed by its name too, `git -C dir push` as `git push`, and what `env`, `sudo`, `xargs`, `find`, npm,
 * docker and kubectl run beside them; a redirect (`> file`) and an expansion (`$HOME`, `$(date)`) are parts of
 * their own, so that a rule that allows `echo *` does not allow writing files. `'unknown'` where it cannot be told what
 * runs: ask a person.
 */
export function analyzeCommand(line: string): readonly string[] | 'unknown' {
  try {
    if (line.length > maxLength) throw new Unknown()
    const parts = new Reader(line).read()
    return parts.length ? [...new Set(parts)] : 'unknown'
  } catch (error) {
    if (error instanceof Unknown) return 'unknown'
    throw error
  }
}

/** A word while it is read. */
type OpenWord = { -readonly [Field in keyof Word]: Word[Field] }

class Reader {
  readonly #line: string
  readonly #depth: number
  readonly #parts: string[] = []
  #at = 0
  #words: Word[] = []
  #word: OpenWord | undefined
  #parentheses = 0
  /** The command behind a `&>`: for bash what stands there belongs to the command before it. */
  #isSplit = false

  constructor(line: string, depth = 0) {
    if (depth > 8 || cutSign.test(line)) throw new Unknown()
    this.#line = line
    this.#depth = depth
  }

  read(): string[] {
    while (this.#at < this.#line.length) this.#next()
    this.#endCommand()
    if (this.#parentheses) throw new Unknown()
    return this.#parts
  }

  get #rest(): string {
    return this.#line.slice(this.#at)
  }

  #next(): void {
    const char = this.#line[this.#at] as string
    if (char === ' ' || char === '\t') this.#endWord(1)
    // A line that goes on: for the shell nothing stands there, also behind an empty word (`""`).
    else if (this.#rest.startsWith('\\\n')) this.#at += 2
    else if (char === '#' && !this.#word) this.#at += (/^[^\n]*/.exec(this.#rest) as RegExpExecArray)[0].length
    else if (!this.#operator() && !this.#redirect()) this.#piece(char)
  }

  /** Reads a piece of a word: quoted, escaped, expanded or plain. */
  #piece(char: string): void {
    this.#word ??= { text: '', dynamic: false }
    if (char === "'") this.#literal(this.#until("'", this.#at + 1))
    else if (char === '"') this.#quoted()
    else if (char === '\\') this.#escape()
    else if (char === '$' || char === '`') this.#expansion(false)
    else {
      if (isControl(char)) throw new Unknown()
      if ('*?[{~'.includes(char)) this.#word.dynamic = true
      this.#add(char)
    }
  }

  #add(text: string): void {
    this.#word ??= { text: '', dynamic: false }
    this.#word.text += text
    this.#at += text.length
  }
  #literal(end: number): void {
    const text = this.#line.slice(this.#at + 1, end)
    if ([...text].some(char => isControl(char) && char !== '\n' && char !== '\t')) throw new Unknown()
    this.#add(text)
    this.#at = end + 1
  }
  #until(mark: string, from: number): number {
    const end = this.#line.indexOf(mark, from)
    if (end < 0) throw new Unknown()
    return end
  }

  #escape(): void {
    const next = this.#line[this.#at + 1]
    if (next === undefined || isControl(next)) throw new Unknown()
    this.#at++
    this.#add(next)
  }

  #quoted(): void {
    this.#at++
    for (;;) {
      const char = this.#line[this.#at]
      if (char === undefined || (isControl(char) && char !== '\n' && char !== '\t')) throw new Unknown()
      if (char === '"') break
      if (char === '$' || char === '`') this.#expansion(true)
      else if (char === '\\') this.#escapeInQuotes()
      else this.#add(char)
    }
    this.#at++
  }
  #escapeInQuotes(): void {
    const next = this.#line[this.#at + 1]
    if (next === undefined) throw new Unknown()
    if ('$`"\\\n'.includes(next)) this.#at++
    this.#add(next === '\n' ? '' : (this.#line[this.#at] as string))
    if (next === '\n') this.#at++
  }

  /** Takes an expansion as it stands; what runs inside it is listed, and so is the expansion itself. */
  #expansion(quoted: boolean): void {
    const rest = this.#rest
    const start = this.#at
    // `$[…]` is arithmetic too, which bash expands once more: `$['$(rm x)']` runs it.
    if (/^\$(\(\(|[{[])/.test(rest) || (!quoted && /^\$['"]/.test(rest))) throw new Unknown()
    if (rest.startsWith('$(')) this.#inside(this.#at + 2, this.#closing(this.#at + 2))
    else if (rest.startsWith('`')) this.#backticks()
    else this.#at += /^\$(\w+|[@*#?$!-])/.exec(rest)?.[0].length ?? 0
    if (this.#at === start) this.#add('$')
    else this.#expanded(start)
  }
  #expanded(start: number): void {
    const text = this.#line.slice(start, this.#at)
    this.#at = start
    this.#add(text)
    this.#word = { text: this.#word?.text ?? '', dynamic: true }
    this.#parts.push(text)
  }
  #inside(from: number, end: number): void {
    this.#parts.push(...new Reader(this.#line.slice(from, end), this.#depth + 1).read())
    this.#at = end + 1
  }
  #backticks(): void {
    const end = this.#until('`', this.#at + 1)
    if (this.#line.slice(this.#at, end).includes('\\')) throw new Unknown()
    this.#inside(this.#at + 1, end)
  }
  /** The place at which the parenthesis opened before `from` closes. Throws on comments and backticks inside, which are not parsed. */
  #closing(from: number): number {
    let depth = 1
    for (let i = from; i < this.#line.length; i++) {
      const char = this.#line[i]
      if (char === '\\') i++
      else if (char === '#' || char === '`') throw new Unknown()
      else if (char === "'") i = this.#until(char, i + 1)
      else if (char === '"') i = this.#quoteEnd(i + 1)
      else if (char === '(') depth++
      else if (char === ')' && --depth === 0) return i
    }
    throw new Unknown()
  }
  #quoteEnd(from: number): number {
    for (let i = from; i < this.#line.length; i++) {
      const char = this.#line[i]
      if (char === '`') throw new Unknown()
      if (char === '\\') i++
      else if (char === '$' && this.#line[i + 1] === '(') i = this.#closing(i + 2)
      else if (char === '"') return i
    }
    throw new Unknown()
  }

  #operator(): boolean {
    const found = operators.find(operator => this.#line.startsWith(operator, this.#at))
    if (!found) return false
    if (found === ';;') throw new Unknown()
    if (found === '(') this.#open()
    if (found === ')' && --this.#parentheses < 0) throw new Unknown()
    this.#endCommand()
    this.#isSplit = /^&(\\\n)*>/.test(this.#rest)
    this.#at += found.length
    return true
  }
  /** A subshell begins a command; anywhere else a parenthesis makes a function, an array or a pattern. Two of them are arithmetic, which may run what is quoted. */
  #open(): void {
    if (this.#word || this.#words.length || /^\((\\\n)*\(/.test(this.#rest)) throw new Unknown()
    this.#parentheses++
  }

  /**
   * `> file` is a part; `2>&1` and what goes to /dev/null are not. Of `10>`, `{x}>` and `2` with a line break behind it, some shells make an
   * argument, and others none.
   */
  #redirect(): boolean {
    // Within a word a digit is a part of it: looking for the sign behind each of many would take their number squared.
    if (this.#word && /\d/.test(this.#line[this.#at] ?? '')) return false
    const [all, number = '', sign = ''] = redirect.exec(this.#rest) ?? []
    if (all === undefined) return false
    if (number.length > 1 || /^(\d+|\{.*\})$/.test(this.#word?.text ?? '')) throw new Unknown()
    this.#target(all, sign)
    return true
  }
  #target(all: string, sign: string): void {
    this.#endWord(all.length)
    if (/^[<(]/.test(this.#rest) && !sign.startsWith('>')) throw new Unknown()
    if (this.#rest.startsWith('(')) throw new Unknown()
    const before = this.#words
    this.#words = []
    while (/^[ \t]/.test(this.#rest)) this.#at++
    while (this.#at < this.#line.length && !/^[ \t\n;&|<>()]/.test(this.#rest))
      this.#piece(this.#line[this.#at] as string)
    const target = this.#word?.text
    if (!target || (sign.endsWith('&') && !copied.test(target))) throw new Unknown()
    this.#word = undefined
    this.#words = before
    const copies = sign.endsWith('&') && /^(\d+|-)$/.test(target)
    if (!copies) this.#writes(sign === '<>' ? '>' : sign.replace(/[|&]$/, ''), target)
  }
  #writes(sign: string, target: string): void {
    if (target !== '/dev/null') this.#parts.push(`${sign} ${target}`)
  }

  #endWord(length: number): void {
    if (this.#word) this.#words.push(this.#word)
    this.#word = undefined
    this.#at += length
  }
  #endCommand(): void {
    this.#endWord(0)
    const words = this.#words
    this.#words = []
    if (words.length && this.#isSplit) throw new Unknown()
    this.#isSplit = false
    if (words.length) this.#list(words, this.#depth)
  }

  /** Lists a command, and the commands that it runs. */
  #list(words: readonly Word[], depth: number): void {
    if (depth > 8) throw new Unknown()
    const [first, ...rest] = words
    const program = first?.text.split('/').at(-1) ?? ''
    if (!first || first.dynamic || !/^[\w./+@%:,-]+$/.test(first.text) || runners.has(program) || loader.test(program))
      throw new Unknown()
    if (Object.hasOwn(running, program) && rest.some(({ text }) => running[program]?.test(text))) throw new Unknown()
    const { same = [], runs = [], lines = [], writes = [] } = wrappedCommands(words)
    for (const command of runs) this.#list(command, depth + 1)
    for (const line of lines) this.#parts.push(...new Reader(line, depth + 1).read())
    for (const file of writes) this.#writes('>', file)
    // A part of its own for braces, which a rule would see unexpanded: git {push,-f}.
    for (const { text, dynamic } of words) if (dynamic) this.#parts.push(...ownParts(text))
    const given = rest.map(({ text }) => text)
    this.#parts.push([first.text, ...given].join(' '))
    if (program !== first.text) this.#parts.push([program, ...given].join(' '))
    for (const command of same) this.#parts.push(command.map(({ text }) => text).join(' '))
  }
}

/** Braces, and what only another program puts there. */
const ownParts = (text: string): string[] => [
  ...(hasBraces(text) ? [text] : []),
  ...(/\$(INPUT|FILE)\b/.exec(text)?.slice(0, 1) ?? []),
]

/** True for control characters, with those that reverse the direction of the text a person reads. */
const isControl = (char: string): boolean => char < ' ' || /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/.test(char)
