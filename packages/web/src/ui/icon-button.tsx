import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName
  readonly label: string
  /** Text beside the icon where there is room. */
  readonly text?: string
  readonly size?: number
}

/** A button with an icon. Its label is read by screen readers and shown as a tooltip. */
export function IconButton({ icon, label, text, size, className = '', ...rest }: Props): ReactNode {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} {...(size ? { size } : {})} />
      {text && <span>{text}</span>}
    </button>
  )
}
