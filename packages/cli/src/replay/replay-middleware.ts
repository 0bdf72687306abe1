import { resolve } from 'node:path'
import type { Middleware } from 'turnbuckle'
import { memoryPermissions } from 'turnbuckle/middleware'
import type { ReplayOptions } from 'turnbuckle/stores'
import { makeMiddleware, readConfiguredMiddleware } from '../compose/configured-middleware.ts'
import { loadHookModule } from '../compose/hooks/load-hook-module.ts'
import { makeNamedMiddleware, middlewareNames } from '../compose/make-named-middleware.ts'
import { readSwitches } from '../compose/middleware-switches.ts'
import { ownMiddleware } from '../compose/own-middleware.ts'
import { ownTools } from '../compose/own-tools.ts'
import { permissionFile } from '../compose/permissions/permission-file.ts'
import { UserError } from '../errors/user-error.ts'
import { bundleModule } from '../settings/bundle-module.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { untrustedNotice } from '../settings/trust-file.ts'

/** The changes to the agent of the settings that a replay tries. */
export interface TriedChanges {
  /** Paths of modules, and names of ready-made middleware. */
  readonly with: readonly string[]
  /** Names of middleware to leave out. */
  readonly without: readonly string[]
}

export interface ReplayMiddleware {
  readonly options: ReplayOptions
  /** For the person: middleware that was left out. */
  readonly notices: readonly string[]
}

/**
 * The agent's middleware as it is today, with the changes: a module's takes the place of the agent's of the same name. Nothing is kept
 * that a replayed answer allows for longer. A module may export `answers` and `models`, the stand-ins.
 */
export async function replayMiddleware(loaded: LoadedSettings, tried: TriedChanges): Promise<ReplayMiddleware> {
  const { root, home } = loaded
  const modules = await Promise.all(tried.with.map(readModule))
  const { configured, notices } = await configuredMiddleware(loaded)
  const added = modules.flatMap(({ use }) => use)
  const replaced = new Set([...added.map(({ name }) => name), ...tried.without])
  const grants = await permissionFile(home).list()
  const base = () => [...ownMiddleware(loaded, { permissions: memoryPermissions(grants) }), ...configured]
  const known = new Set(base().map(({ name }) => name))
  const unknown = tried.without.find(name => !known.has(name))
  if (unknown !== undefined)
    throw new UserError(`There is no middleware "${unknown}" to leave out. Here: ${[...known].join(', ')}. (${root})`)
  return {
    notices,
    options: {
      use: () => [...base().filter(({ name }) => !replaced.has(name)), ...added],
      tools: ownTools(loaded),
      ...standIns(modules),
    },
  }
}

async function configuredMiddleware(
  loaded: LoadedSettings,
): Promise<{ readonly configured: readonly Middleware[]; readonly notices: readonly string[] }> {
  const entries = await readConfiguredMiddleware(loaded)
  const items = entries.flatMap(({ runnable }) => runnable ?? [])
  const { trusted, refused } = await loaded.trust.decide(loaded.root, items, undefined)
  const switched = readSwitches(loaded.home, loaded.root)
  const configured: Middleware[] = []
  for (const one of entries.filter(({ runnable }) => !runnable || trusted.has(runnable))) {
    const made = await makeMiddleware(one)
    configured.push(...made.filter(({ name }) => switched[name] ?? one.entry.enabled ?? true))
  }
  return { configured, notices: refused.length ? [untrustedNotice(refused)] : [] }
}

interface ReadModule extends Pick<ReplayOptions, 'answers' | 'models'> {
  readonly use: readonly Middleware[]
}

/** Modules on the command line need no trust question: the person has just named them. */
async function readModule(name: string): Promise<ReadModule> {
  if (middlewareNames.includes(name)) return { use: await makeNamedMiddleware(name, undefined) }
  const code = await bundleModule(resolve(name))
  const use = await loadHookModule(code, undefined)
  const { answers, models } = (await code.load()) as Omit<ReadModule, 'use'>
  return { use, ...(answers ? { answers } : {}), ...(models ? { models } : {}) }
}

/** The stand-ins of the modules: the last module that has some counts. */
function standIns(modules: readonly ReadModule[]): Pick<ReplayOptions, 'answers' | 'models'> {
  const answers = modules.findLast(module => module.answers)?.answers
  const models = modules.findLast(module => module.models)?.models
  return { ...(answers ? { answers } : {}), ...(models ? { models } : {}) }
}
