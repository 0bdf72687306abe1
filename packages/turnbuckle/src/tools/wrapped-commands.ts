import {
  expansion,
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
import { gitCommands } from './git-commands.ts'
import { corepackCommands, npmCommands, npxCommands, packageRunner } from './npm-commands.ts'
import { bunCommands, pnpmCommands, yarnCommands } from './script-commands.ts'

/** Gives what a command stands for. Throws `Unknown` where its options do not tell. */
type Reading = (words: readonly Word[]) => Wrapped

/** The command behind the options of a program that runs another one. */
const behind =
  (options: OptionSpec): Reading =>
  words => {
    const at = pastOptions(words, 1, options)
    // A variable may change what the command is, so that it is not read on.
    if (words[at]?.text.includes('=')) throw new Unknown()
    return { runs: at < words.length ? [words.slice(at)] : [] }
  }

const env = behind({
  flags: /^(-i|-0|-v|-[uC].+|--(ignore-environment|null|debug|unset=.*|chdir=.*))$/,
  values: /^(-u|-C|--unset|--chdir)$/,
})

const sudo = behind({
  flags:
    /^(-[AbEHnPS]+|--(askpass|background|preserve-env(=.*)?|set-home|non-interactive|preserve-groups|stdin|user=.*|group=.*|prompt=.*))$/,
  values: /^(-u|-g|-p|--user|--group|--prompt)$/,
})

const xargsOptions: OptionSpec = {
  flags:
    /^(-[0rtpxo]+|-[nLPsdEI].+|--(null|no-run-if-empty|verbose|interactive|exit|open-tty|delimiter=.*|max-\w+=.*))$/,
  values: /^(-n|-L|-P|-s|-d|-E|-I|--delimiter|--max-(args|lines|procs|chars))$/,
}

/** A command with words of standard input behind its own, or with `-I R` in the place of each `R`. Without one: `echo`. */
const xargs: Reading = words => {
  const input = expansion('INPUT')
  const at = pastOptions(words, 1, xargsOptions)
  const command = at < words.length ? words.slice(at) : [wordOf('echo')]
  const place = words.slice(0, at).findLastIndex(({ text }) => text.startsWith('-I'))
  if (place < 0) return { runs: [[...command, input]] }
  const sign = words[place]?.text.slice(2) || readValue(words[place + 1])
  // Behind the others too: a later `-n` takes `-I` back.
  return { runs: [[...replaced(command, sign, input), input]] }
}

/** Characters of a word with signs that were replaced: one `xargs` in another doubles them each time. */
const longestReplaced = 10_000

/** Words with another in the place of a sign. Throws where the program itself has it. */
function replaced(command: readonly Word[], sign: string, by: Word): Word[] {
  if (!sign || command[0]?.text.includes(sign)) throw new Unknown()
  return command.map(word => {
    if (!word.text.includes(sign)) return word
    const text = word.text.replaceAll(sign, by.text)
    if (text.length > longestReplaced) throw new Unknown()
    return { text, dynamic: true }
  })
}

/** Actions of `find` that write or delete by themselves. */
const findWrites = /^-(delete|fprint0?|fprintf|fls)$/

const find: Reading = words => {
  refuseMadeOptions(words.slice(1), { files: true })
  const runs: (readonly Word[])[] = []
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (findWrites.test(text)) throw new Unknown()
    if (!/^-(exec|ok)(dir)?$/.test(text)) continue
    const end = words.findIndex((word, i) => i > at && isFindEnd(word, words[i - 1]))
    if (end < 0) throw new Unknown()
    runs.push(replaced(words.slice(at + 1, end), '{}', expansion('FILE')))
    at = end
  }
  return { runs }
}
const isFindEnd = ({ text }: Word, before: Word | undefined): boolean =>
  text === ';' || (text === '+' && before?.text === '{}')

/** The command with its subcommand first, as a rule names it. */
const fromSubcommand = (words: readonly Word[], at: number): readonly (readonly Word[])[] =>
  at > 1 ? [[wordOf(programOf(words)), ...words.slice(at)]] : []

const dockerOptions: OptionSpec = {
  flags: /^(-D|-v|-[Hcl].+|--(debug|tls|tlsverify|version|help)|--[\w-]+=.*)$/,
  values: /^(-H|-c|-l|--(host|context|config|log-level|tlscacert|tlscert|tlskey))$/,
}
const composeOptions: OptionSpec = {
  flags: /^(--(dry-run|compatibility|all-resources|verbose)|--[\w-]+=.*)$/,
  values: /^(-f|-p|--(file|project-name|project-directory|profile|env-file|ansi|progress|parallel))$/,
}
/** Options of `run` and `exec`, for containers and for pods. An entrypoint is not among them: it is the program. */
const containerOptions: OptionSpec = {
  flags:
    /^(-[itdPqT]+|--(rm|init|privileged|detach|interactive|tty|publish-all|read-only|quiet|no-deps|build)|--(?!entrypoint)[\w-]+=.*)$/,
  values:
    /^(-e|-v|-w|-u|-p|-h|-m|-l|--(env|env-file|volume|workdir|user|name|network|net|publish|mount|hostname|platform|pull|cpus|memory|add-host|label|gpus|shm-size|restart|device|cap-add|cap-drop|security-opt|tmpfs|ulimit|pid|ipc|index|detach-keys))$/,
}
const docker: Reading = words => {
  let at = pastOptions(words, 1, dockerOptions)
  const same = [...fromSubcommand(words, at)]
  const group = readFixed(words[at])
  if (group === 'compose') {
    at = pastOptions(words, at + 1, composeOptions)
    same.push([wordOf('docker'), wordOf('compose'), ...words.slice(at)])
  } else if (group === 'container') same.push([wordOf('docker'), ...words.slice(++at)])
  // A service runs what stands behind its image, and its options are not read.
  else if (group === 'service' && /^(create|update)$/.test(readFixed(words[at + 1]))) throw new Unknown()
  if (!/^(run|exec|create)$/.test(readFixed(words[at]))) return { same }
  // An image, a container or a service comes first, and then the command.
  const image = pastOptions(words, at + 1, containerOptions)
  readFixed(words[image])
  const command = words.slice(image + 1)
  return { same, runs: command.length ? [command] : [] }
}

/** The older program: a rule for `docker compose` holds for it too. */
const dockerCompose: Reading = ([, ...rest]) => {
  const asPlugin = [wordOf('docker'), wordOf('compose'), ...rest]
  const { same = [], ...runs } = docker(asPlugin)
  return { same: [asPlugin, ...same], ...runs }
}

const kubectlOptions: OptionSpec = {
  flags: /^(-[ns].+|--(insecure-skip-tls-verify|match-server-version|warnings-as-errors|help)|--[\w-]+=.*)$/,
  values:
    /^(-n|-s|-v|--(namespace|context|cluster|kubeconfig|user|server|token|as|as-group|as-uid|cache-dir|certificate-authority|client-certificate|client-key|request-timeout|tls-server-name|username|password))$/,
}
/** Options of `kubectl run`, which hands the words behind the pod's name on, also without dashes. */
const podOptions: OptionSpec = {
  flags: /^(-[itq]+|-[nlo].+|--(rm|stdin|tty|attach|command|expose|quiet|leave-stdin-open|[\w-]+=.*))$/,
  values: /^(-[nlo]|--(image|namespace|context|restart|env|port|labels|overrides|image-pull-policy|output))$/,
}
const isPodAlone = (words: readonly Word[]): boolean =>
  pastOptions(words, pastOptions(words, 0, podOptions) + 1, podOptions) >= words.length

const kubectl: Reading = words => {
  const at = pastOptions(words, 1, kubectlOptions)
  const same = fromSubcommand(words, at)
  const dashes = words.findIndex(({ text }, i) => i > at && text === '--')
  const subcommand = readFixed(words[at])
  if (dashes < 0 && subcommand === 'exec') throw new Unknown()
  if (subcommand === 'run' && !isPodAlone(words.slice(at + 1, dashes < 0 ? undefined : dashes))) throw new Unknown()
  refuseMadeOptions(dashes < 0 ? [] : words.slice(at + 1, dashes), { files: true })
  const command = dashes < 0 ? [] : words.slice(dashes + 1)
  return { same, runs: command.length ? [command] : [] }
}

/** Options of tar whose value it runs; a long one may be shortened to what no other begins with. */
const tarRuns = /^(--(to-c|checkpoint-|us|rs|rm|inf|new-)|-\w*[IF])/
/** The same among the letters of a first argument without a dash: `tar cIf program a.tar`. */
const tarLettersRun = /^\w*[IF]/
const tar: Reading = ([, ...rest]) => {
  refuseMadeOptions(rest, { files: true })
  if (tarLettersRun.test(readFixed(rest[0])) || rest.some(({ text }) => tarRuns.test(text))) throw new Unknown()
  return {}
}

const run = packageRunner(/^run$/)

const programOf = ([first]: readonly Word[]): string => first?.text.split('/').at(-1) ?? ''

const readings: Readonly<Record<string, Reading>> = {
  env,
  sudo,
  xargs,
  find,
  git: gitCommands,
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': dockerCompose,
  'podman-compose': dockerCompose,
  kubectl,
  oc: kubectl,
  npm: npmCommands,
  npx: npxCommands,
  pnpx: npxCommands,
  bunx: npxCommands,
  pnpm: pnpmCommands,
  yarn: yarnCommands,
  yarnpkg: yarnCommands,
  bun: bunCommands,
  corepack: corepackCommands,
  bundle: packageRunner(/^exec$/),
  uv: run,
  uvx: behind({ flags: /^$/, values: /^$/ }),
  poetry: run,
  pipenv: run,
  pdm: run,
  rye: run,
  hatch: run,
  pipx: run,
  tar,
  gtar: tar,
  bsdtar: tar,
}

/** The commands that a command stands for, beside itself. Throws `Unknown` where its options do not tell. */
export function wrappedCommands(words: readonly Word[]): Wrapped {
  const program = programOf(words)
  return Object.hasOwn(readings, program) ? (readings[program]?.(words) ?? {}) : {}
}
