export interface Piece {
  readonly text: string
  readonly kind?: 'comment' | 'string' | 'number' | 'word'
}

const words =
  'abstract as async await break case catch class const continue def default defer del do done echo elif else end enum esac except export extends false fi final finally fn for from func function go if impl implements import in interface is lambda let loop match mod module mut new nil none None not null or package pass private protected pub public raise return self static struct super switch then this throw trait true True False try type typeof undefined unless use var void where while with yield select insert update delete join create table'

const hashComments = /^(py|python|sh|bash|shell|zsh|rb|ruby|yaml|yml|toml|r|perl|dockerfile|make)$/i
const known = new Set(words.split(' '))
const longest = 50_000

/**
 * Splits code of any language into comments, strings, numbers and common keywords. Takes linear time; text of more
 * than 50,000 characters is not highlighted.
 */
export function highlightCode(text: string, language: string): Piece[] {
  if (!language || /^(text|txt|plain|md|markdown)$/i.test(language) || text.length > longest) return [{ text }]
  const comment = hashComments.test(language) ? '#[^\\n]*' : '//[^\\n]*|/\\*[^]*?(?:\\*/|$)'
  const token = new RegExp(
    `(${comment})|("(?:[^"\\\\\\n]|\\\\.)*"?|'(?:[^'\\\\\\n]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?)|(\\b\\d[\\w.]*)|([A-Za-z_$][\\w$]*)`,
    'g',
  )
  const pieces: Piece[] = []
  let last = 0
  for (const found of text.matchAll(token)) {
    const kind = kindOf(found)
    if (!kind) continue
    if (found.index > last) pieces.push({ text: text.slice(last, found.index) })
    pieces.push({ text: found[0], kind })
    last = found.index + found[0].length
  }
  if (last < text.length) pieces.push({ text: text.slice(last) })
  return pieces
}

function kindOf([, comment, string, number, word]: RegExpMatchArray): Piece['kind'] {
  if (comment) return 'comment'
  if (string) return 'string'
  if (number) return 'number'
  return word && known.has(word) ? 'word' : undefined
}
