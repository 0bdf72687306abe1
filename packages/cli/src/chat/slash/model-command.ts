import { formatMoney } from '../../text/format-count.ts'
import { openPicker, type PickerItem } from '../menu/picker.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/model`: a list of the models that have a key here, or the model that is named. */
export const modelCommand: SlashCommand = {
  name: '/model',
  usage: '[PROVIDER/MODEL]',
  does: 'changes the model, or lists those there are',
  refusedWhileRunning: 'never',
  async run(session, name) {
    if (name) await useModel(session, name)
    else {
      const items = await modelItems(session.composed.model.id)
      const take = (id: string) =>
        void useModel(session, id).catch((error: unknown) => session.say((error as Error).message, 'warn'))
      session.set({ picker: openPicker('Model', items, take, session.composed.model.id) })
    }
  },
}

async function useModel(session: ChatSession, name: string): Promise<void> {
  await session.composed.model.use(name)
  session.refresh()
  session.say(`The model is ${session.composed.model.id}.`)
}

/** Models that can be used here, with their price for a million tokens; the present one always. */
async function modelItems(current: string): Promise<readonly PickerItem[]> {
  const { prices } = await import('turnbuckle/models')
  const { usableModels } = await import('../../compose/model/usable-models.ts')
  return [...new Set([current, ...(await usableModels())])].map(name => {
    const price = prices[name]
    const cost = price && `${formatMoney(price.input)} in · ${formatMoney(price.output)} out per million`
    return { id: name, label: name, detail: name === 'offline' ? 'a script, no AI' : (cost ?? '') }
  })
}
