import { type ReactNode, useEffect, useState } from 'react'
import { showNotice } from '../state/show-notice.ts'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'

const shownMs = 1500

interface Props {
  readonly text: string
  readonly label: string
  readonly size?: number
}

/** Copies a text, and says for a moment that it did; screen readers hear it too. */
export function CopyButton({ text, label, size = 15 }: Props): ReactNode {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (await copyText(text)) setCopied(true)
    else showNotice('The browser did not let this page copy. Select the text and copy it.')
  }
  return (
    <>
      <IconButton
        icon={copied ? 'check' : 'copy'}
        label={copied ? 'Copied' : label}
        size={size}
        onClick={() => void copy()}
      />
      <span className="visually-hidden" role="status">
        {copied && 'Copied'}
      </span>
    </>
  )
}
