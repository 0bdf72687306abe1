import { resolve } from 'node:path'
import type { Middleware, Model } from 'turnbuckle'
import { loadHookModule } from '../compose/hooks/load-hook-module.ts'
import { makeNamedMiddleware, middlewareNames, unknownMiddlewareText } from '../compose/make-named-middleware.ts'
import { UserError } from '../errors/user-error.ts'
import { bundleModule } from '../settings/bundle-module.ts'
import { isModulePath } from '../settings/settings.ts'
import type { EvalTask } from './eval-task.ts'
import type { EvalSubject } from './run-eval.ts'

/** Every model with every set. Names that mean nothing are refused before a task begins. */
export async function evalSubjects(
  models: readonly string[],
  sets: readonly string[],
): Promise<readonly EvalSubject[]> {
  const makeModels = await Promise.all(models.map(async model => ({ model, modelFor: await modelMaker(model) })))
  const makeSets = await Promise.all((sets.length ? sets : ['plain']).map(readSet))
  return makeModels.flatMap(one => makeSets.map(set => ({ ...one, ...set })))
}

/** A model by its name, or a module whose default export is a model, or a function of the task that gives one. */
async function modelMaker(name: string): Promise<EvalSubject['modelFor']> {
  if (!isModulePath(name)) {
    const { checkModel, resolveModel } = await import('turnbuckle/models')
    try {
      checkModel(name)
    } catch (error) {
      throw new UserError((error as Error).message)
    }
    return async () => resolveModel(name)
  }
  const module = (await (await bundleModule(resolve(name))).load()) as { default?: unknown }
  const given = module.default as Model | ((task: EvalTask) => Model | Promise<Model>) | undefined
  if (typeof given === 'function') return async task => given(task)
  if (typeof given?.stream !== 'function')
    throw new UserError(`${name} must have a model, or a function of the task, as its default export.`)
  return async () => given
}

/** `NAME=MODULE,NAME` is a set under a name; without one it is named by its parts. `plain` is none. */
async function readSet(text: string): Promise<Pick<EvalSubject, 'set' | 'use'>> {
  const [, named, list = text] = /^([\w-]+)=(.*)$/.exec(text) ?? []
  const parts = list.split(',').filter(part => part !== '' && part !== 'plain')
  for (const part of parts)
    if (!isModulePath(part) && !middlewareNames.includes(part)) throw new UserError(unknownMiddlewareText(part))
  const use = async (): Promise<readonly Middleware[]> => (await Promise.all(parts.map(makePart))).flat()
  // Options that are missing, and modules that cannot be read, are told before anything is paid for.
  await use()
  return { set: named ?? (list || 'plain'), use }
}

const makePart = async (part: string): Promise<readonly Middleware[]> =>
  isModulePath(part)
    ? loadHookModule(await bundleModule(resolve(part)), undefined)
    : makeNamedMiddleware(part, undefined)
