import { type Attachment, type Call, keptFileId, type Message } from 'turnbuckle/client'

export const textOf = (message: Message): string => {
  let text = ''
  for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}

export const callsOf = (message: Message): Call[] => message.content.filter(part => part.type === 'call')

/** The files of a message, to be sent once more. */
export const attachmentsOf = (message: Message): Attachment[] =>
  message.content
    .filter(part => part.type === 'file')
    .map(({ mediaType, data, name }) => {
      const id = keptFileId(data)
      return id === undefined ? { mediaType, data: String(data), ...(name ? { name } : {}) } : { id }
    })
