const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Elements that are left out with all that is in them. */
const leftOut: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head'])
/** Tags that end a line. */
const lineEnds = /^(br|\/(p|div|li|tr|h[1-6]|section|article|pre))$/

/** The readable text of a page: no scripts, styles or tags; links keep their address. */
export function htmlToText(html: string): string {
  return withoutTags(html)
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,6});/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[\s]*\n/g, '\n\n')
    .trim()
}

/** Goes through a page once. What is begun and never ended, a tag, a comment or an element to leave out, is left out to the end, as browsers do it. */
function withoutTags(html: string): string {
  const texts: string[] = []
  let address: string | undefined
  for (let at = 0; at < html.length; ) {
    const begin = nextTag(html, at)
    texts.push(html.slice(at, begin))
    const end = tagEnd(html, begin)
    const [, name = '', attributes = ''] = /^<(\/?[^\s/>]*)([\s\S]*)/.exec(html.slice(begin, end)) ?? []
    const tag = name.toLowerCase()
    if (lineEnds.test(tag)) texts.push('\n')
    if (tag === '/a' && address !== undefined) texts.push(` (${address})`)
    if (tag === 'a' || tag === '/a') address = addressIn(attributes)
    at = leftOut.has(tag) ? endOf(tag, html, end + 1) : end + 1
  }
  return texts.join('')
}

/** A `<` before anything else is text. */
function nextTag(html: string, from: number): number {
  const begin = /<[a-z/!?]/gi
  begin.lastIndex = from
  return begin.exec(html)?.index ?? html.length
}

/** The tag that ends an element whose content is not read. */
function endOf(tag: string, html: string, from: number): number {
  const end = new RegExp(`</${tag}(?=[\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

/** The `>` of a tag or a comment. One in a value in quotes is not its end; a quote that never ends is none. */
function tagEnd(html: string, begin: number): number {
  if (html.startsWith('<!--', begin)) {
    const end = html.indexOf('-->', begin + 2)
    return end < 0 ? html.length : end + 2
  }
  let isValue = false
  for (let at = begin; at < html.length; at++) {
    const character = html.charAt(at)
    if (character === '>') return at
    if (isValue && (character === '"' || character === "'")) at = Math.max(at, html.indexOf(character, at + 1))
    if (/\S/.test(character)) isValue = character === '='
  }
  return html.length
}

/** An attribute: its name, and its value in quotes or without. */
const attribute = /([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g

function addressIn(attributes: string): string | undefined {
  for (const [, name = '', ...values] of attributes.matchAll(attribute))
    if (name.toLowerCase() === 'href') return values.find(value => value !== undefined)?.trim() || undefined
  return undefined
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
