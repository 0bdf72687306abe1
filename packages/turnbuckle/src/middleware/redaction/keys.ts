import { byPattern, type Detector, type Found, holdRun, together } from './detect.ts'

/** The most characters a token is waited for. */
const longest = 8192

/** Tokens that say by their first letters what they are. */
const tokens: Readonly<Record<string, RegExp>> = {
  'aws-key': /(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/,
  'github-token': /(?<!\w)(?:gh[pousr]_\w{36,}|github_pat_\w{22,})/,
  'gitlab-token': /(?<!\w)glpat-[\w-]{20,}/,
  'google-key': /(?<!\w)AIza[\w-]{35}/,
  'slack-token': /(?<!\w)xox[abeoprs]-[\w-]{10,}/,
  'stripe-key': /(?<!\w)[rs]k_(?:live|test)_\w{16,}/,
  'npm-token': /(?<!\w)npm_\w{36}/,
  'huggingface-token': /(?<!\w)hf_\w{30,}/,
  'api-key': /(?<!\w)sk-[\w-]{20,}/,
  jwt: /(?<!\w)eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
}

const begin = '-----BEGIN '
const wholeKey = byPattern({
  kind: 'private-key',
  pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]{0,40}-----)?/,
  longest: Number.MAX_SAFE_INTEGER,
})
/** From its first line to its last; without a last line, to the end of the text. */
const privateKey: Detector = {
  ...wholeKey,
  hold(text) {
    const open = text.lastIndexOf(begin)
    const block = open < 0 ? '' : text.slice(open)
    const growing = /^-----BEGIN [A-Z ]{0,51}-{0,4}$/.test(block)
    const unclosed = /^-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/.test(block) && !/-----END [A-Z ]{0,40}-----/.test(block)
    return growing || unclosed ? open : holdPrefix(text, begin)
  },
}

/** A user and password inside an address: `postgres://user:password@host`. */
const login: Detector = {
  ...byPattern({ kind: 'login', pattern: /[a-z][a-z\d+.-]{1,30}:\/\/[^\s:@/]{0,100}:[^\s@/]{1,200}@/i, longest: 336 }),
  hold(text) {
    const run = holdRun(text, 336, /[^\s@]/)
    const scheme = text.slice(run).search(/[a-z][a-z\d+.-]{0,30}(?::(?:\/(?:\/[^\s@/]*)?)?)?$/i)
    return scheme < 0 ? text.length : run + scheme
  },
}

/** The longest end of the text that `whole` begins with. */
function holdPrefix(text: string, whole: string): number {
  for (let at = Math.max(0, text.length - whole.length + 1); at < text.length; at++)
    if (whole.startsWith(text.slice(at))) return at
  return text.length
}

/** Exactly this value, wherever it turns up. */
export function exactly(value: string, kind = 'secret'): Detector {
  return {
    find(text, from) {
      const found: Found[] = []
      for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + value.length))
        found.push({ kind, start: at, end: at + value.length })
      return found
    },
    hold: text => holdPrefix(text, value),
  }
}

export const keys: readonly Detector[] = [
  together(
    /A[KS]IA|gh[a-z]|glpat|AIza|xox|[rs]k[-_]|npm_|hf_|eyJ/,
    Object.entries(tokens).map(([kind, pattern]) => byPattern({ kind, pattern, longest })),
    text => holdRun(text, longest, /[\w.-]/),
  ),
  privateKey,
  login,
]
