import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** A Markdown file below a folder. */
export interface MarkdownFile {
  /** The path below the folder, without `.md`: `git/commit`. */
  readonly name: string
  readonly path: string
  readonly text: string
}

/**
 * The Markdown files below a folder, by name; none where there is no such folder. A link that leads out of `within` is passed over: a repository
 * is not a way to other files of this machine.
 */
export function markdownFiles(folder: string, within: string = folder): readonly MarkdownFile[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.md'))
      .sort()
      .flatMap(file => {
        const path = join(folder, file)
        if (!isWithin(path, within)) return []
        return [{ name: file.slice(0, -3).split(sep).join('/'), path, text: readFileSync(path, 'utf8') }]
      })
  } catch {
    return []
  }
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(realpathSync(folder), realpathSync(path))
  return inside !== '..' && !inside.startsWith(`..${sep}`)
}
