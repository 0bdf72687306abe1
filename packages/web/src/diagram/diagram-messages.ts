/** Colours of the page that a diagram is drawn in, by the names of the page's CSS variables. */
export const diagramColours = [
  'raised',
  'paper',
  'ink',
  'ink-soft',
  'line-strong',
  'brass-fill',
  'brass-soft',
  'sea-soft',
] as const

export type DiagramColours = Readonly<Record<(typeof diagramColours)[number], string>>

/** From the page to the frame. */
export interface DiagramOrder {
  readonly id: number
  readonly source: string
  readonly dark: boolean
  readonly colours: DiagramColours
}

/** From the frame to the page: the SVG, or why there is none. Without an id: the frame is ready for orders. */
export type DiagramAnswer =
  | { readonly id?: undefined }
  | { readonly id: number; readonly svg: string }
  | { readonly id: number; readonly problem: string }
