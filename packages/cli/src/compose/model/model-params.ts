import { type Middleware, middleware } from 'turnbuckle'
import type { ModelParams } from 'turnbuckle/client'
import type { LoadedSettings } from '../../settings/load-settings.ts'

/** The parameters of the settings; a project's count more than the user's. */
export const paramsOf = ({ user, project }: Pick<LoadedSettings, 'user' | 'project'>): ModelParams => ({
  ...user.params,
  ...project.params,
})

/** Puts parameters of the settings into every model call. Those that a hook has set count more. */
export const modelParams = (params: () => ModelParams): Middleware =>
  middleware({
    name: 'model-params',
    description: 'Puts the parameters of the settings into every model call.',
    beforeModel({ prompt }) {
      prompt.params = { ...params(), ...prompt.params }
    },
  })
