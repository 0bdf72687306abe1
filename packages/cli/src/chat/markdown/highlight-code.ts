import { paint, type ThemeRole } from '../../text/theme.ts'

/** A family of languages that look alike: how comments begin, and the words that carry the structure. */
interface Family {
  readonly languages: readonly string[]
  /** Source of a regular expression. */
  readonly comment: string
  readonly words: string
}

const families: readonly Family[] = [
  {
    languages: ['ts', 'tsx', 'mts', 'cts', 'typescript', 'js', 'jsx', 'mjs', 'cjs', 'javascript', 'svelte', 'vue'],
    comment: '\\/\\/.*|\\/\\*[\\s\\S]*?(?:\\*\\/|(?![^]))',
    words:
      'abstract as async await break case catch class const continue declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined unknown var void while with yield string number boolean never any',
  },
  {
    languages: ['c', 'h', 'cpp', 'c++', 'cc', 'hpp', 'cs', 'csharp', 'java', 'kt', 'kotlin', 'swift', 'scala', 'dart'],
    comment: '\\/\\/.*|\\/\\*[\\s\\S]*?(?:\\*\\/|(?![^]))|^[ \\t]*#\\w+',
    words:
      'abstract auto bool boolean break byte case catch char class const constexpr continue data default delete do double else enum explicit extends extern false final finally float for fun func goto guard if implements import in inline int interface internal is let long namespace new nil null nullptr object operator override package private protected public record return sealed short signed sizeof static struct super switch template this throw throws true try typedef typename union unsigned using val var virtual void volatile when where while yield',
  },
  {
    languages: ['rs', 'rust', 'go', 'golang', 'zig'],
    comment: '\\/\\/.*|\\/\\*[\\s\\S]*?(?:\\*\\/|(?![^]))',
    words:
      'as async await bool break case chan const continue crate default defer dyn else enum error export extern fallthrough false fn for func go goto if impl import in int interface let loop map match mod move mut nil package pub range ref return select self Self static string struct super switch trait true type unsafe use usize i32 i64 u8 u32 u64 f64 var where while',
  },
  {
    languages: ['py', 'python', 'rb', 'ruby', 'r', 'jl', 'julia', 'nix', 'elixir', 'ex'],
    comment: '#.*|"""[\\s\\S]*?(?:"""|(?![^]))',
    words:
      'and as assert async await begin break case class continue def defmodule del do elif else elsif end ensure except False finally for from function global if import in is lambda let local match module next nil None nonlocal not or pass raise require rescue return self super then True try unless until use when while with yield',
  },
  {
    languages: ['sh', 'bash', 'zsh', 'fish', 'shell', 'console', 'docker', 'dockerfile', 'makefile', 'make'],
    comment: '(?<=^|\\s)#.*',
    words:
      'alias case cd do done echo elif else esac exit export fi for function if in local return set shift source then unset until while ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM RUN USER VOLUME WORKDIR sudo npm npx node git docker',
  },
  {
    languages: ['yaml', 'yml', 'toml', 'ini', 'conf', 'properties', 'env'],
    comment: '(?<=^|\\s)[#;].*',
    words: 'true false null yes no on off',
  },
  {
    languages: ['json', 'jsonc', 'json5'],
    comment: '\\/\\/.*|\\/\\*[\\s\\S]*?(?:\\*\\/|(?![^]))',
    words: 'true false null',
  },
  {
    languages: ['sql', 'psql', 'sqlite', 'mysql'],
    comment: '--.*|\\/\\*[\\s\\S]*?(?:\\*\\/|(?![^]))',
    words:
      'add all alter and as asc between by case cascade check column constraint create cross database default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right select set table then true union unique update using values view when where with',
  },
  { languages: ['html', 'xml', 'svg', 'htm'], comment: '<!--[\\s\\S]*?(?:-->|(?![^]))', words: '' },
  {
    languages: ['css', 'scss', 'less'],
    comment: '\\/\\*[\\s\\S]*?(?:\\*\\/|(?![^]))|\\/\\/.*',
    words: 'important media import',
  },
]

const string = `"(?:\\\\.|[^"\\\\\\n])*"?|'(?:\\\\.|[^'\\\\\\n])*'?|\`(?:\\\\.|[^\`\\\\])*\`?`
const number = '\\b(?:0[xob][\\da-f_]+|\\d[\\d_]*(?:\\.\\d+)?(?:e[+-]?\\d+)?)\\b'
/** A tag, a key before a colon or an equals sign, or a function's name before its bracket. */
const name = '<\\/?[\\w-]+|\\/?>|[\\w$-]+(?=\\s*[:=][^=:>])|[\\w$]+(?=\\()'

const rules = new Map<string, RegExp>()

/** Compiled when a language comes up first. */
function ruleOf(language: string): RegExp | undefined {
  const known = rules.get(language)
  const family = known ? undefined : families.find(({ languages }) => languages.includes(language))
  if (!family) return known
  const { comment, words } = family
  const keyword = words ? `\\b(?:${words.replaceAll(' ', '|')})\\b(?!\\s*:)` : '(?!)'
  const rule = new RegExp(
    `(?<quiet>${comment})|(?<string>${string})|(?<keyword>${keyword})|(?<number>${number})|(?<name>${name})`,
    family.languages.includes('sql') ? 'gim' : 'gm',
  )
  rules.set(language, rule)
  return rule
}

const roles: readonly ThemeRole[] = ['quiet', 'string', 'keyword', 'number', 'name']

/**
 * Code in lines, with the colours of its language: comments, strings, words, numbers and names, by how they look. A
 * colour never goes over the end of a line. Code in a language that is not known stays as it is.
 */
export function highlightCode(code: string, language: string): readonly string[] {
  const known = language.toLowerCase()
  if (known === 'diff' || known === 'patch') return code.split('\n').map(paintChange)
  const rule = ruleOf(known)
  if (!rule) return code.split('\n')
  return code
    .replace(rule, (...found: unknown[]) => {
      const text = String(found[0])
      const groups = found.at(-1) as Readonly<Record<string, string | undefined>>
      const role = roles.find(one => groups[one] !== undefined)
      return role ? text.replace(/[^\n]+/g, part => paint(role, part)) : text
    })
    .split('\n')
}

const paintChange = (line: string): string =>
  line.startsWith('+') ? paint('added', line) : line.startsWith('-') ? paint('removed', line) : line
