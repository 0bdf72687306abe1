import type { Random } from '../same/random.ts'

/** A file that only an option of git would make. */
export const writtenFile = 'written'

/** A subcommand in a place where it works, with options that run `a` or write a file. */
interface Row {
  readonly start: string
  readonly long: readonly string[]
  /** Short options in one word; the value follows the last. */
  readonly short?: readonly string[]
  readonly value: string
  readonly end?: string
}

const runs = "'a;git-upload-pack'"
const writes = (start: string, ...short: string[]): Row => ({ start, long: ['output'], short, value: writtenFile })

const rows: readonly Row[] = [
  { start: 'fetch', long: ['upload-pack'], value: runs, end: '.' },
  { start: 'pull', long: ['upload-pack'], value: runs, end: '. HEAD' },
  { start: 'ls-remote', long: ['upload-pack', 'exec'], value: runs, end: '.' },
  { start: 'fetch-pack', long: ['upload-pack', 'exec'], value: runs, end: '. HEAD' },
  { start: 'push', long: ['receive-pack', 'exec'], value: 'a', end: '. HEAD:refs/heads/y' },
  { start: 'send-pack', long: ['receive-pack', 'exec'], value: 'a', end: '. HEAD:refs/heads/y' },
  { start: 'archive --remote=.', long: ['exec'], value: 'a', end: 'HEAD' },
  { start: 'rebase', long: ['exec'], short: ['x', 'ix', 'qx'], value: 'a', end: 'HEAD~1' },
  { start: 'grep', long: ['open-files-in-pager'], short: ['O', 'lO', 'inO'], value: 'a', end: 'x' },
  { start: 'clone', long: ['upload-pack'], short: ['u', 'qu', 'lqu'], value: runs, end: './. y' },
  { start: 'difftool', long: ['extcmd'], short: ['yx'], value: 'a', end: 'HEAD~1' },
  { start: 'log -1', long: ['oneline', 'all'], short: ['p'], value: 'x' },
  ...['log -1', 'diff HEAD~1', 'show', 'whatchanged', 'rev-list HEAD', 'reflog', 'diff-tree HEAD'].map(one =>
    writes(one),
  ),
  ...['shortlog HEAD', 'stash list', 'range-diff HEAD~1...HEAD', 'blame x', 'cherry-pick HEAD'].map(one => writes(one)),
  writes('archive HEAD', 'o', 'vo'),
  { start: 'format-patch -1', long: ['output', 'output-directory'], short: ['o', 'no'], value: writtenFile },
]
const whole = [
  'git bisect run a',
  'git submodule foreach a',
  "git config alias.z '!a'; git z",
  "git for-each-repo --config=user.name -c 'alias.z=!a' z",
  'git merge-index -o a -a',
  "echo 'connect git-upload-pack' | git remote-ext . a",
]

/** A line of git, its options written in one of the ways that git takes them: whole, shortened, several in one word. */
export function gitLine(random: Random): string {
  if (random.chance(0.1)) return random.pick(whole)
  const { start, long, short = [], value, end = '' } = random.pick(rows)
  const isShort = short.length > 0 && random.chance(0.4)
  const option = isShort ? `-${random.pick(short)}` : `--${shortened(random, random.pick(long))}`
  const join = isShort ? random.pick(['', ' ']) : random.pick(['=', ' '])
  return `git ${random.chance(0.2) ? '--no-pager ' : ''}${start} ${option}${join}${value} ${end}`.trim()
}

const shortened = (random: Random, name: string): string =>
  random.chance(0.4) ? name : name.slice(0, 2 + random.below(name.length - 1))
