import { type Message, type Tool, textOf, tool } from 'turnbuckle'
import { type ScriptedModel, scriptedModel } from 'turnbuckle/testing'

export const look: Tool = tool({ name: 'look', run: args => args })
/** A step with a call, then one that ends the turn; again and again. */
export const twoSteps = (): ScriptedModel =>
  scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'], { repeat: true })
export const texts = (messages: readonly Message[]): string[] => messages.map(textOf)
