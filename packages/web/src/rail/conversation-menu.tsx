import { DropdownMenu } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { Icon } from '../ui/icon.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { exportConversation } from './export-conversation.ts'
import { RenameDialog } from './rename-dialog.tsx'

const ShareDialog = lazy(() => import('../share/share-dialog.tsx'))
const SharePersonDialog = lazy(() => import('../share/share-person-dialog.tsx'))

interface Props {
  readonly id: string
  readonly title: string
  /** The button's name for screen readers. */
  readonly label: string
}

/** The menu of a conversation: rename, share, export, delete. */
export function ConversationMenu({ id, title, label }: Props): ReactNode {
  const [asking, ask] = useState<'rename' | 'share' | 'share-person' | 'delete'>()
  const done = () => ask(undefined)
  const own = useAppState(app => app.list?.find(one => one.id === id)?.owner === undefined)
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
          {own && (
            <>
              <DropdownMenu.Item className="menu-item" onSelect={() => ask('share-person')}>
                <Icon name="people" size={16} /> Share with a person
              </DropdownMenu.Item>
              <DropdownMenu.Item className="menu-item" onSelect={() => ask('share')}>
                <Icon name="share" size={16} /> Share a link
              </DropdownMenu.Item>
            </>
          )}
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
      {asking === 'share' && (
        <Suspense>
          <ShareDialog id={id} title={title} done={done} />
        </Suspense>
      )}
      {asking === 'share-person' && (
        <Suspense>
          <SharePersonDialog id={id} title={title} done={done} />
        </Suspense>
      )}
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
