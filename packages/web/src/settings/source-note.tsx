import type { ReactNode } from 'react'
import type { SettingSource } from 'turnbuckle/client'
import { Icon } from '../ui/icon.tsx'

interface Source {
  readonly from: SettingSource
  readonly place?: string
  readonly fixed?: true
}

/** The place that a setting comes from, in words. */
export function sourceWords({ from, place = '' }: Source): string {
  switch (from) {
    case 'default':
      return 'Not set: the default.'
    case 'user':
      return 'Set in your file.'
    case 'project':
      return `Fixed by the project: ${place}`
    case 'flag':
      return `Fixed by the command line: ${place}`
    case 'environment':
      return `Fixed by the environment: ${place}`
    default:
      return from satisfies never
  }
}

/** Says where a setting comes from. One that the user's file cannot change says so. */
export function SourceNote({ source, id }: { readonly source: Source; readonly id?: string }): ReactNode {
  return (
    <p className="source-note" id={id} data-fixed={source.fixed ?? false}>
      {source.fixed && <Icon name="lock" size={14} />} {sourceWords(source)}
    </p>
  )
}

/** Says which file an entry is in. One of the project's cannot be changed here. */
export function FileNote({ from }: { readonly from: 'user' | 'project' }): ReactNode {
  return from === 'user' ? (
    <span className="about">your file</span>
  ) : (
    <span className="about fixed">
      <Icon name="lock" size={13} /> fixed by the project’s file
    </span>
  )
}
