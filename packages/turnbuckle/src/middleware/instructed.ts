import type { Prompt } from '../core/base/ports.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'

/** The prompt with a paragraph more in its instructions. */
export const instructed = (prompt: Prompt, text: string): Prompt =>
  changedPrompt(prompt, { instructions: prompt.instructions ? `${prompt.instructions}\n\n${text}` : text })
