/** A call that plain words ask for. */
export interface Wish {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

type Rule = readonly [pattern: RegExp, wish: (...groups: string[]) => Wish | undefined]

const wish = (tool: string, args: Readonly<Record<string, unknown>> = {}): Wish => ({ tool, args })
/** Leaves out what was not said. */
const given = (args: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(args).filter((entry): entry is [string, string] => Boolean(entry[1])))
const bare = (text: string | undefined): string => (text ?? '').trim().replace(/^(["'`])(.*)\1$/s, '$2')

const secondsIn: Readonly<Record<string, number>> = { m: 60, s: 1, ms: 0.001 }
function seconds(count = '', unit = 's'): number {
  const short = /^(ms|milli)/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase()
  return Number(count) * (secondsIn[short] ?? 1)
}

/** Arguments as JSON text; nothing where it is none. */
function readArgs(text = ''): Wish['args'] | undefined {
  try {
    return JSON.parse(text) as Wish['args']
  } catch {
    return undefined
  }
}

/** The first that fits counts. */
const rules: readonly Rule[] = [
  // Any tool, by its name and its arguments.
  [
    /^(?:(?:use|call)\s+)?(?!run\s|execute\s|write\s)([\w.:-]+)\s+(\{.*\})$/is,
    (name, text) => {
      const args = readArgs(text)
      return args && wish(name ?? '', args)
    },
  ],
  [
    /^write\s+(["'`].*["'`])\s+(?:to|into)\s+(\S+)$/is,
    (content, path) => wish('write_file', { path: bare(path), content: bare(content) }),
  ],
  [
    /^write\s+(\S+?)\s*:\s*(.+)$/is,
    (path, content) => wish('write_file', { path: bare(path), content: bare(content) }),
  ],
  [
    /^(?:replace|change)\s+(["'`].*?["'`]|\S+)\s+(?:with|to|by)\s+(["'`].*?["'`]|\S+)\s+in\s+(\S+)$/is,
    (find, replace, path) => wish('edit_file', { path: bare(path), find: bare(find), replace: bare(replace) }),
  ],
  [/^(?:run|shell|execute|\$)\s+(.+)$/is, command => wish('shell', { command: bare(command) })],
  [/^(?:fetch|get|download|open)\s+(https?:\/\/\S+)$/i, url => wish('fetch_url', { url })],
  [
    /^(?:list|show)\s+(?:me\s+)?(?:all\s+|the\s+)*(?:files|folder|directory)(?:\s+here)?(?:\s+(?:in|of|under)\s+(\S+))?$/i,
    path => wish('list_files', given({ path: bare(path) })),
  ],
  [/^ls(?:\s+(\S+))?$/i, path => wish('list_files', given({ path: bare(path) }))],
  [/^(?:what|which)\s+files\b.*$/i, () => wish('list_files')],
  [
    /^(?:search|grep|find|look)\s+(?:for\s+)?(["'`].*?["'`]|.+?)(?:\s+in\s+(\S+))?$/i,
    (pattern, path) => wish('search_files', { pattern: bare(pattern), ...given({ path: bare(path) }) }),
  ],
  [
    /^(?:wait|sleep|pause)(?:\s+for)?\s+(\d+(?:\.\d+)?)\s*([a-z]*)$/i,
    (n, unit) => wish('wait', { seconds: seconds(n, unit) }),
  ],
  [/^plan(?:\s+to|:)\s+(.+)$/is, plan => wish('present_plan', { plan: bare(plan) })],
  [/^fail(?:\s+with\s+(.+))?$/i, message => wish('fail', given({ message: bare(message) }))],
  [
    /^ask(?:\s+me)?(?:\s+(?:something|a question))?(?:[:,]?\s+(.+))?$/i,
    question => wish('ask', given({ question: bare(question) })),
  ],
  [
    /^(?:what(?:'s| is)|calculate|compute|how much is)\s+([-+*/%^().\d\sa-z×÷\u2212]*[\d)ie][-+*/%^().\d\sa-z×÷\u2212]*)$/i,
    expression =>
      /\d|pi\b/i.test(expression ?? '') ? wish('calculate', { expression: expression?.trim() }) : undefined,
  ],
  [
    /^([-+(.\d][-+*/%^().\d\s×÷\u2212]*[-+*/%^×÷\u2212][-+*/%^().\d\s×÷\u2212]*)$/,
    expression => wish('calculate', { expression: expression?.trim() }),
  ],
  [
    /^(?:read|show(?:\s+me)?|open|cat|print)\s+(?:the\s+)?(?:file\s+)?(["'`].+["'`]|\S+)$/i,
    path => wish('read_file', { path: bare(path) }),
  ],
]

function understand(text: string): Wish | undefined {
  for (const [pattern, make] of rules) {
    const found = pattern.exec(text)
    const made = found && make(...found.slice(1))
    if (made) return made
  }
  return undefined
}

const polite = (text: string): string =>
  text
    .trim()
    .replace(/^(?:please|now|then|and|can you|could you)[,\s]+/i, '')
    .replace(/(?:[,\s]+please)?\s*[?!.]*$/i, '')

/** The wishes in a message, in order; a part that makes no sense is given back as text. */
export function readRequests(message: string): (Wish | string)[] {
  return message
    .split(/[;\n]+/)
    .map(polite)
    .filter(Boolean)
    .flatMap(line => several(line) ?? [understand(line) ?? line])
}

/** "read a.txt and list files": only where each part makes sense, so that "search for salt and pepper" stays whole. */
function several(line: string): Wish[] | undefined {
  // A text to write, or a command to run, may have an "and" of its own.
  if (/^(?:write|run|shell|execute|\$|replace|change|plan:?)\s/i.test(line)) return undefined
  const parts = line.split(/\s*,\s*(?:and\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+/i).map(polite)
  const wishes = parts.map(understand)
  return parts.length > 1 && wishes.every(made => made !== undefined) ? wishes : undefined
}
