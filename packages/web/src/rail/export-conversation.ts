import { exportText } from 'turnbuckle/client'
import { saveAs } from '../files/save-as.ts'
import { callServer } from '../state/call-server.ts'
import { exportFileName } from './export-file-name.ts'

const types = { md: 'text/markdown', json: 'application/json' } as const

/** Downloads a conversation: JSON holds the whole tree, Markdown the path to the head. */
export async function exportConversation(id: string, format: 'md' | 'json'): Promise<void> {
  const copy = await callServer(client => client.exportConversation(id))
  if (!copy) return
  const url = URL.createObjectURL(new Blob([exportText(copy, format)], { type: types[format] }))
  saveAs(url, exportFileName(copy.title, format))
  URL.revokeObjectURL(url)
}
