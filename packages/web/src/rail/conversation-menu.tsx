import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { callServer } from '../state/call-server.ts'
import { Icon } from '../ui/icon.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { exportConversation } from './export-conversation.ts'
import { RenameDialog } from './rename-dialog.tsx'

interface Props {
  readonly id: string
  readonly title: string
  /** The button's name for screen readers. */
  readonly label: string
}

/** The menu of a conversation: rename, export, delete. */
export function ConversationMenu({ id, title, label }: Props): ReactNode {
  const [asking, ask] = useState<'rename' | 'delete'>()
  const done = () => ask(undefined)
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="icon-button" aria-label={label}>
          <Icon name="more" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          <DropdownMenu.Item className="menu-item" onSelect={() => ask('rename')}>
            <Icon name="edit" size={16} /> Rename
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void exportConversation(id, 'md')}>
            <Icon name="download" size={16} /> Export as Markdown
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void exportConversation(id, 'json')}>
            <Icon name="download" size={16} /> Export as JSON
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item danger" onSelect={() => ask('delete')}>
            <Icon name="trash" size={16} /> Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {asking === 'rename' && <RenameDialog id={id} title={title} done={done} />}
      {asking === 'delete' && (
        <DeleteDialog
          title={title}
          cancel={done}
          confirm={() => void callServer(client => client.deleteConversation(id)).then(done)}
        />
      )}
    </>
  )
}
