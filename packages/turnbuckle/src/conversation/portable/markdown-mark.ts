import type { Message, Role } from '../../core/base/message.ts'

/** The members of a message that a Markdown file has. Ids are not among them. */
export type Said = Pick<Message, 'role' | 'content' | 'interrupted'>

export const roles: Readonly<Record<string, Role>> = {
  System: 'system',
  User: 'user',
  Assistant: 'assistant',
  Tool: 'tool',
}

export const thought = '> **Reasoning**'

/** A line that would be read as one of the marks. In a text it gets one more backslash. */
export const markdownMark: RegExp =
  /^\\*(?:## (?:System|User|Assistant|Tool)(?: \(interrupted\))?|Calls `[^`]*`:|`[^`]*` \(\w+\):|> \*\*Reasoning\*\*)$/

export const mapLines = (text: string, change: (line: string) => string): string =>
  text.split('\n').map(change).join('\n')
