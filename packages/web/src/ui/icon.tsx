import type { ReactNode } from 'react'

const shapes = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  clip: 'M20 11.500 12 19.500a5 5 0 0 1-7-7l8.500-8.500a3.300 3.300 0 0 1 4.700 4.700l-8.300 8.300a1.700 1.700 0 0 1-2.400-2.400l7.500-7.500',
  tree: 'M12 4v5M12 9c0 4-6 3-6 7M12 9c0 4 6 3 6 7M6 16v3M18 16v3M12 9v10',
  chat: 'M4 6.500A2.500 2.500 0 0 1 6.500 4h11A2.500 2.500 0 0 1 20 6.500v7a2.500 2.500 0 0 1-2.500 2.500H11l-4.500 4v-4A2.500 2.500 0 0 1 4 13.500z',
  gauge: 'M4 17a8 8 0 1 1 16 0M12 17l4-5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M5.500 12h.01M12 12h.01M18.500 12h.01',
  left: 'M14.500 6l-6 6 6 6',
  right: 'M9.500 6l6 6-6 6',
  up: 'M6 14.500l6-6 6 6',
  down: 'M6 9.500l6 6 6-6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13.500 6.500l4 4',
  retry: 'M19.500 12A7.500 7.500 0 1 1 17 6.400M17.500 3v4h-4',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  sun: 'M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM12 2v2M12 20v2M2 12h2M20 12h2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z',
  half: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 3.500v17',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  share:
    'M10 14a4 4 0 0 0 6 .400l3-3a4 4 0 0 0-5.700-5.700L12 7M14 10a4 4 0 0 0-6-.400l-3 3a4 4 0 0 0 5.700 5.700L12 17',
  people:
    'M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM3 19.500a6 6 0 0 1 12 0M15.500 4.900a3.500 3.500 0 0 1 0 6.300M17 14.200a6 6 0 0 1 4 5.300',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13',
  eye: 'M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6ZM4 20 20 4',
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  warn: 'M12 4 2.500 20h19zM12 10v4.500M12 17.300v.01',
  hand: 'M8 12V6.500a1.500 1.500 0 0 1 3 0V11V4.500a1.500 1.500 0 0 1 3 0V11V6.500a1.500 1.500 0 0 1 3 0V14a6 6 0 0 1-6 6c-3 0-4.500-1.500-6-4.500l-1.500-3a1.400 1.400 0 0 1 2.400-1.400L8 13',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4',
  sliders: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  lock: 'M6.500 11h11v9h-11zM9 11V7.500a3 3 0 0 1 6 0V11',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7.500V12l3 2',
} as const

export type IconName = keyof typeof shapes

/** `size` in pixels, where letters have their usual size: an icon grows with them. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  const side = `${size / 16}rem`
  return (
    <svg className="icon" width={side} height={side} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} {...(name === 'more' ? { strokeWidth: 2.8 } : {})} />
    </svg>
  )
}
