import { DropdownMenu } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { WireModel } from 'turnbuckle/client'
import { changeOwnSettings } from '../conversation/change-own-settings.ts'
import { openSettings } from '../conversation/loading/open-settings.ts'
import { useAppState } from '../state/app-state.ts'
import { Icon } from '../ui/icon.tsx'

const OwnSettingsDialog = lazy(() => import('../settings/models/own-settings-dialog.tsx'))

/** The model of the conversation, with a menu that chooses another from the next turn on. */
export function ModelChip(): ReactNode {
  const models = useAppState(app => app.models)
  const own = useAppState(app => (app.openId === undefined ? app.newSettings : app.conversation?.settings))
  const access = useAppState(app => app.list?.find(({ id }) => id === app.openId)?.access)
  const [isEditing, edit] = useState(false)
  if (!models || access === 'read') return null
  const id = own?.model ?? models.default
  const name = shortName(id)
  const more = own?.instructions || own?.params ? ' ·' : ''
  // The name has the text that is seen, as it stands there: people who speak to their computer say that.
  const seen = id === 'offline' ? `${name} ${mark}` : id
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="model-chip" aria-label={`Model: ${seen}. Change`}>
          <span>
            {name}
            {more}
          </span>
          {id === 'offline' && (
            <>
              {' '}
              <span className="model-mark">{mark}</span>
            </>
          )}
          <Icon name="down" size={13} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="menu model-menu" align="start" side="top" sideOffset={6}>
          <ModelItems models={models.models} standard={models.default} chosen={own?.model} />
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => edit(true)}>
            <Icon name="edit" size={16} /> Instructions and parameters …
          </DropdownMenu.Item>
          <ConnectItem />
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {isEditing && (
        <Suspense>
          <OwnSettingsDialog done={() => edit(false)} />
        </Suspense>
      )}
    </>
  )
}

interface ModelItemsProps {
  readonly models: readonly WireModel[]
  readonly standard: string
  readonly chosen: string | undefined
}

function ModelItems({ models, standard, chosen = '' }: ModelItemsProps): ReactNode {
  const names = models.map(({ id }) => id)
  // A conversation keeps a model whose key is gone.
  const shown = chosen && !names.includes(chosen) ? [chosen, ...names] : names
  return (
    <DropdownMenu.RadioGroup
      className="model-list"
      value={chosen}
      onValueChange={model => void changeOwnSettings({ model: model || null })}
    >
      <Choice value="" text={`Default: ${wordsOf(standard)}`} />
      {shown.map(name => (
        <Choice key={name} value={name} text={wordsOf(name)} />
      ))}
    </DropdownMenu.RadioGroup>
  )
}

function Choice({ value, text }: { readonly value: string; readonly text: string }): ReactNode {
  return (
    <DropdownMenu.RadioItem className="menu-item" value={value}>
      <span className="menu-check">
        <DropdownMenu.ItemIndicator>
          <Icon name="check" size={15} />
        </DropdownMenu.ItemIndicator>
      </span>
      {text}
    </DropdownMenu.RadioItem>
  )
}

function ConnectItem(): ReactNode {
  const isOwner = useAppState(app => app.me?.role === 'owner')
  if (!isOwner) return null
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => openSettings('models')}>
      <Icon name="plus" size={16} /> Connect a model …
    </DropdownMenu.Item>
  )
}

const mark = 'a script, no AI'
const wordsOf = (id: string): string => (id === 'offline' ? `offline, ${mark}` : id)

/** `anthropic/claude-…` without the provider. */
const shortName = (id: string): string => id.slice(id.indexOf('/') + 1)
