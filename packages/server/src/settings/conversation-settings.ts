import { type Middleware, middleware } from 'turnbuckle'
import type { ConversationSettings } from 'turnbuckle/client'
import type { Models } from './models.ts'

/** The name of the middleware, which people neither see nor switch. */
export const conversationSettingsName = 'conversation-settings'

/**
 * Puts a conversation's own model, instructions and parameters into its model calls. A turn keeps the settings that it began with,
 * also where another process goes on with it.
 */
export function conversationSettings(
  settingsOf: (conversationId: string) => ConversationSettings | undefined,
  models: Models,
): Middleware {
  return middleware<{ readonly settings: ConversationSettings }>({
    name: conversationSettingsName,
    // Before others, which look at the model of the call.
    priority: 10,
    state: { settings: {} },
    beforeTurn(ctx) {
      const settings = settingsOf(ctx.conversation.id)
      if (settings && Object.keys(settings).length) ctx.update(() => ({ settings }))
    },
    async beforeModel(ctx) {
      const { model, instructions, params } = ctx.state.settings
      const { prompt } = ctx
      if (params) prompt.params = { ...prompt.params, ...params }
      if (instructions) prompt.instructions = [prompt.instructions, instructions].filter(Boolean).join('\n\n')
      if (model !== undefined && model !== ctx.agent.model.id) prompt.model = await models.find(model)
    },
  })
}
