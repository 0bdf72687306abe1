import { basename, dirname, join } from 'node:path'
import type { Skill } from '../middleware/skills.ts'
import { type ClaudeFolders, claudeHome } from './claude-folders.ts'
import { readFrontMatter } from './front-matter.ts'
import { headHooks } from './head-hooks.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import { markdownFiles } from './markdown-files.ts'

/**
 * The skills of `.claude/skills` and of the user, for `skills(…)`; a user's goes before the project's of its name. Their instructions name the
 * skill's folder, so that the model can read what lies beside.
 *
 * ```ts
 * createAgent({ model, tools: workspaceTools({ root: '.' }), use: [skills(claudeSkills({ root: '.' }))] })
 * ```
 */
export const claudeSkills = (folders: ClaudeFolders = {}): readonly Skill[] =>
  readClaudeSkills(folders).map(({ skill }) => skill)

/** A skill, and the hooks in its head, which run from its activation on. */
interface ClaudeSkillFile {
  readonly skill: Skill
  readonly hooks?: ClaudeHookSource
}

export function readClaudeSkills({
  root = process.cwd(),
  home = claudeHome(),
}: ClaudeFolders): readonly ClaudeSkillFile[] {
  const own = home === false ? [] : readSkills(join(home, 'skills'), home, 'user')
  const names = new Set(own.map(({ skill }) => skill.name))
  const foreign = readSkills(join(root, '.claude', 'skills'), root, 'project')
  return [...own, ...foreign.filter(({ skill }) => !names.has(skill.name))]
}

const readSkills = (folder: string, within: string, from: 'user' | 'project'): readonly ClaudeSkillFile[] =>
  markdownFiles(folder, within)
    .filter(({ name }) => /^[^/]+\/SKILL$/.test(name))
    .flatMap(({ path, text }) => {
      const { fields, hooks, body } = readFrontMatter(text)
      const at = dirname(path)
      // Claude is not to use such a skill by itself.
      if (fields['disable-model-invocation'] === 'true') return []
      const name = String(fields.name ?? basename(at))
      const [first = ''] = body.split('\n')
      const description = String(fields.description ?? first.replace(/^#+\s*/, ''))
      const skill = { name, description, instructions: `Its files are in ${at}.\n\n${body}` }
      return [{ skill, ...headHooks(hooks, { of: { kind: 'skill', name }, from, path, within }) }]
    })
