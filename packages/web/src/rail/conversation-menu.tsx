import { DropdownMenu } from 'radix-ui'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { accessTo } from '../conversation/facts/access-to.ts'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { Icon } from '../ui/icon.tsx'
import { exportConversation } from './export-conversation.ts'

const DeleteDialog = lazy(() => import('./delete-dialog.tsx'))
const RenameDialog = lazy(() => import('./rename-dialog.tsx'))
const ShareDialog = lazy(() => import('../share/share-dialog.tsx'))
const SharePersonDialog = lazy(() => import('../share/share-person-dialog.tsx'))

interface Props {
  readonly id: string
  readonly title: string
  /** The button's name for screen readers. */
  readonly label: string
}

/** The menu of a conversation: rename, share, export, delete, as far as the person may. */
export function ConversationMenu({ id, title, label }: Props): ReactNode {
  const [asking, ask] = useState<'rename' | 'share' | 'share-person' | 'delete'>()
  const done = () => ask(undefined)
  const access = useAppState(app => accessTo(app, id))
  const own = access === 'own'
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="icon-button" aria-label={label}>
          <Icon name="more" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          {access !== 'read' && <MenuItem icon="edit" text="Rename" onSelect={() => ask('rename')} />}
          {own && <MenuItem icon="people" text="Share with a person" onSelect={() => ask('share-person')} />}
          {own && <MenuItem icon="share" text="Share a link" onSelect={() => ask('share')} />}
          <MenuItem icon="download" text="Export as Markdown" onSelect={() => void exportConversation(id, 'md')} />
          <MenuItem icon="download" text="Export as JSON" onSelect={() => void exportConversation(id, 'json')} />
          {own && <MenuItem icon="trash" text="Delete" danger onSelect={() => ask('delete')} />}
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      <Suspense>
        {asking === 'rename' && <RenameDialog id={id} title={title} done={done} />}
        {asking === 'share' && <ShareDialog id={id} title={title} done={done} />}
        {asking === 'share-person' && <SharePersonDialog id={id} title={title} done={done} />}
        {asking === 'delete' && (
          <DeleteDialog
            title={title}
            cancel={done}
            confirm={() => void callServer(client => client.deleteConversation(id)).then(done)}
          />
        )}
      </Suspense>
    </>
  )
}

interface MenuItemProps {
  readonly icon: ComponentProps<typeof Icon>['name']
  readonly text: string
  readonly danger?: boolean
  readonly onSelect: () => void
}

function MenuItem({ icon, text, danger = false, onSelect }: MenuItemProps): ReactNode {
  return (
    <DropdownMenu.Item className={danger ? 'menu-item danger' : 'menu-item'} onSelect={onSelect}>
      <Icon name={icon} size={16} /> {text}
    </DropdownMenu.Item>
  )
}
