import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { headingSlug } from '../src/pages/heading-slug.ts'
import { navigation } from '../src/pages/navigation.ts'
import { outsideLinks } from '../src/pages/outside-links.ts'
import { allPages, apiFolder, docs, pageAt, rewrites, titleOfPage } from '../src/pages/read-pages.ts'
import { writeLlms } from '../src/pages/write-llms.ts'

// DOCS_BASE: the folder of a GitHub Pages site, /turnbuckle/. DOCS_REPOSITORY: the address of the repository, for links to files.
const base = process.env['DOCS_BASE'] ?? '/'
const repository = process.env['DOCS_REPOSITORY']
// The first page is no page of VitePress: the browser goes there by itself. While pages are written, it has a server of its own.
const playground = { link: process.env['DOCS_PLAYGROUND'] ?? base, target: '_self' }
const root = fileURLToPath(new URL('../../..', import.meta.url))

const item = (path: string): DefaultTheme.SidebarItem => ({ text: titleOfPage(pageAt(path)), link: `/${path}` })

function reference(): DefaultTheme.SidebarItem[] {
  const folder = `${docs}/${apiFolder}`
  const modules = existsSync(folder) ? readdirSync(folder).filter(file => file !== 'index.md') : []
  return [
    { text: 'API, from the types', link: `/${apiFolder}/` },
    ...modules.sort().map(file => {
      const name = file.replace(/\.md$/, '')
      return { text: name === 'turnbuckle' ? name : `turnbuckle/${name}`, link: `/${apiFolder}/${name}` }
    }),
  ]
}

const groups = navigation.map(({ title, pages, folded }) => ({
  text: title,
  ...(folded ? { collapsed: true } : {}),
  items: [...pages.map(item), ...(title === 'Reference' ? reference() : [])],
}))
const decisions = allPages().filter(({ path }) => /^decisions\/\d/.test(path))

export default defineConfig({
  title: 'Turnbuckle',
  description: 'Turns, with hooks at both ends: a TypeScript agent runtime whose loop you can reach into.',
  base,
  srcDir: docs,
  outDir: fileURLToPath(new URL('../dist', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../../node_modules/.cache/vitepress', import.meta.url)),
  rewrites: { ...rewrites },
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify: headingSlug },
    config: markdown => outsideLinks(markdown, repository),
  },
  vite: { server: { fs: { allow: [root] } } },
  themeConfig: {
    logo: '/icon.svg',
    logoLink: playground,
    nav: [
      { text: 'Playground', ...playground },
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Hooks', link: '/hooks' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Reference', link: `/${apiFolder}/` },
    ],
    sidebar: [
      ...groups,
      {
        text: 'Decisions',
        collapsed: true,
        items: [
          { text: 'About them', link: '/decisions/' },
          ...decisions.map(page => ({ text: titleOfPage(page), link: `/${page.path}` })),
        ],
      },
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      // A page that explains a word comes before the reference that lists it.
      options: { miniSearch: { searchOptions: { boostDocument: id => (String(id).includes('/api/') ? 0.4 : 1) } } },
    },
    ...(repository ? { socialLinks: [{ icon: 'github', link: repository }] } : {}),
  },
  buildEnd: ({ outDir }) => writeLlms(outDir, base),
})
