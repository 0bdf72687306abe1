import type { HookNews } from '../compose/hooks/watch-hooks.ts'
import { trustChange } from '../settings/trust-change.ts'
import { visibleValue } from '../text/visible-value.ts'
import type { ChatSession } from './session/chat-session.ts'
import { isAllowed } from './session/is-allowed.ts'

/** Notices and questions about hook modules that were saved. */
export const hookNews = (session: ChatSession): HookNews => ({
  idle: () => session.idle(),
  trust: (item, saved) =>
    new Promise(resolve => {
      const diff = trustChange(item)
      const withdraw = session.ask(
        {
          kind: 'yes-no',
          title: `${visibleValue(item.name)} has changed`,
          body: `${visibleValue(item.does)} (${item.hash.slice(0, 12)})\nTrust exactly this content, and use it?`,
          ...(diff ? { diff } : {}),
        },
        given => resolve(isAllowed(given)),
      )
      saved.addEventListener('abort', () => {
        withdraw()
        resolve(false)
      })
    }),
  reloaded(use) {
    session.refresh()
    session.say(`${use} was saved, and is in force from the next stage on.`)
  },
  kept: (use, why) => session.say(`${use} was saved, but the old one stays: ${why}`, 'warn'),
})
