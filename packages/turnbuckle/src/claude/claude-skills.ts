import { basename, dirname, join } from 'node:path'
import type { Skill } from '../middleware/skills.ts'
import { readFrontMatter } from './front-matter.ts'
import { markdownFiles } from './markdown-files.ts'
import { type ClaudeFolders, claudeHome } from './read-claude-hooks.ts'

/**
 * The skills of `.claude/skills` and of the user, for `skills(…)`; a user's goes before the project's of its name. Their instructions name the
 * skill's folder, so that the model can read what lies beside.
 *
 * ```ts
 * createAgent({ model, tools: workspaceTools({ root: '.' }), use: [skills(claudeSkills({ root: '.' }))] })
 * ```
 */
export function claudeSkills({ root = process.cwd(), home = claudeHome() }: ClaudeFolders = {}): readonly Skill[] {
  const own = home === false ? [] : readSkills(join(home, 'skills'), home)
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...readSkills(join(root, '.claude', 'skills'), root).filter(({ name }) => !names.has(name))]
}

const readSkills = (folder: string, within: string): readonly Skill[] =>
  markdownFiles(folder, within)
    .filter(({ name }) => /^[^/]+\/SKILL$/.test(name))
    .flatMap(({ path, text }) => {
      const { fields, body } = readFrontMatter(text)
      const at = dirname(path)
      // Claude is not to use such a skill by itself.
      if (fields['disable-model-invocation'] === 'true') return []
      const name = String(fields.name ?? basename(at))
      const [first = ''] = body.split('\n')
      const description = String(fields.description ?? first.replace(/^#+\s*/, ''))
      return [{ name, description, instructions: `Its files are in ${at}.\n\n${body}` }]
    })
