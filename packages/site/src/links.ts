/** The folder that the pages of the docs are served from, with a slash at its end. While they are written, a server of their own. */
const base = import.meta.env['VITE_PAGES'] || import.meta.env.BASE_URL

/** The address of a page of the docs: `recipes#block`. */
export function pageAddress(page: string): string {
  const [path = '', anchor] = page.split('#')
  return `${base}${path}${path.endsWith('/') ? '' : '.html'}${anchor ? `#${anchor}` : ''}`
}

/** The repository's address, where the build knows it. */
export const repository: string | undefined = import.meta.env['VITE_REPOSITORY'] || undefined
