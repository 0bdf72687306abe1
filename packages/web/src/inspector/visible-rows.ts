/** The rows to draw, and the room in pixels of those above and below that are not drawn. */
export interface VisibleRows {
  readonly first: number
  /** One past the last. */
  readonly end: number
  readonly above: number
  readonly below: number
}

const usualHeight = 28
/** Pixels that are drawn beyond both edges of the view, so that scrolling shows no gap. */
const beyond = 400

/** The part of a virtual list in view. `heights`: those of rows that were drawn already, by index. */
export function visibleRows(
  count: number,
  heights: ReadonlyMap<number, number>,
  view: { readonly top: number; readonly height: number },
): VisibleRows {
  const heightOf = (index: number) => heights.get(index) ?? usualHeight
  let [first, above] = [0, 0]
  while (first < count && above + heightOf(first) < view.top - beyond) above += heightOf(first++)
  let [end, drawn] = [first, 0]
  while (end < count && above + drawn < view.top + view.height + beyond) drawn += heightOf(end++)
  let below = 0
  for (let index = end; index < count; index++) below += heightOf(index)
  return { first, end, above, below }
}
