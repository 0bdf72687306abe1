import type { Message } from 'turnbuckle/client'

/** A message's text without its Markdown marks, which would fill the two small lines of a tree node. A user's text stays as it is. */
export const plainText = (text: string, role: Message['role']): string =>
  role === 'user'
    ? text.trim()
    : text
        .replace(/^\s*(?:#{1,6}|>|[-+*]|\|)\s+|```\w*/gm, '')
        .replace(/(\*\*|__|`|\*)(?=\S)(.+?)(?<=\S)\1/g, '$2')
        .trim()
