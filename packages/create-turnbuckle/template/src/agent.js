import { createAgent, tool } from 'turnbuckle'
import { z } from 'zod'
import { noteLimit } from './note-limit.js'

const addNote = tool({
  name: 'add_note',
  description: 'Writes a note down.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => `Noted: ${text}`,
})

export const agent = createAgent({
  model: process.env['MODEL'] ?? 'offline',
  instructions: 'You help to take notes. Be brief.',
  tools: [addNote],
  use: [noteLimit],
})
