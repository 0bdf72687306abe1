import type { Usage } from '../base/ports.ts'
import { minus, noUsage, plus } from '../base/usage-sums.ts'
import type { Event, TurnEnded } from '../events/events.ts'

/** Usage of turns that is no message's: models that hooks have asked, attempts that came to nothing, sub-agents. */
export class UnattributedUsage {
  /** Usage of a turn's messages, by turn, since the turn began or was resumed here. */
  readonly #ofMessages = new Map<string, Usage>()

  addMessage(turnId: string, usage: Usage): void {
    this.#ofMessages.set(turnId, plus(this.#ofMessages.get(turnId) ?? noUsage, usage))
  }

  /** The part of an ended turn's usage that its messages do not have; undefined where there is none. */
  atEnd(turnId: string, { usage, elsewhere = noUsage }: TurnEnded, before: readonly Event[]): Usage | undefined {
    const ofMessages = before.filter(isUsage).reduce<Usage>(plus, this.#ofMessages.get(turnId) ?? noUsage)
    this.#ofMessages.delete(turnId)
    const rest = minus(minus(usage, elsewhere), ofMessages)
    return rest.inputTokens || rest.outputTokens || rest.cost || rest.knownCost ? rest : undefined
  }
}

const isUsage = (event: Event): event is Event & { type: 'usage' } => event.type === 'usage'
