import { type Tool, tool } from 'turnbuckle'
import { type ScriptedModel, scriptedModel } from 'turnbuckle/testing'

export const look: Tool = tool({ name: 'look', run: () => 'seen' })
/** Calls `look` twice in one reply, again and again. */
export const looks = (): ScriptedModel =>
  scriptedModel(
    [
      {
        text: 'Looking.',
        calls: [
          { name: 'look', id: 'c1' },
          { name: 'look', id: 'c2', args: { n: 2 } },
        ],
      },
      'Done',
    ],
    { repeat: true },
  )
