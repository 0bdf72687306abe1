import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

const pagesIn = folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.html'))
    .map(file => relative('.', file).split(sep).join('/'))

const all = (text, pattern) => Array.from(text.matchAll(pattern), ([, found]) => found)

/** Links of a built site that lead to no page of it, or to no place on one: `from: link`. `base` is the folder that it is served from. */
export function deadAnchors(folder, base = '/') {
  const pages = pagesIn(folder)
  const texts = new Map(pages.map(page => [page, readFileSync(join(folder, page), 'utf8')]))
  const places = new Map([...texts].map(([page, text]) => [page, new Set(all(text, /\sid="([^"]+)"/g))]))
  const isDead = (page, link) => {
    const [path, anchor] = link.split('#')
    const inside = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path)
    const found = path === '' ? page : inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside
    if (!found.endsWith('.html')) return false
    const known = places.get(found)
    return !known || Boolean(anchor && !known.has(decodeURIComponent(anchor)))
  }
  return pages.flatMap(page => {
    const links = new Set(all(texts.get(page), /<a\s[^>]*href="([^"]+)"/g))
    return [...links]
      .filter(link => !/^(?:[a-z]+:|\/\/)/.test(link) && isDead(page, link.replaceAll('&amp;', '&')))
      .map(link => `${page}: ${link}`)
  })
}
