import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react'
import { type VisibleRows, visibleRows } from './visible-rows.ts'

interface VirtualRows extends VisibleRows {
  readonly list: RefObject<HTMLOListElement | null>
}

/** Draws of a list only the rows that its scrolled box shows. Rows have `data-index`; their heights are measured once drawn. */
export function useVirtualRows(count: number, box: string): VirtualRows {
  const list = useRef<HTMLOListElement>(null)
  const heights = useRef(new Map<number, number>())
  const view = useRef({ top: 0, height: 800 })
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useLayoutEffect(() => {
    const element = list.current
    const scrolled = element?.closest(box)
    if (!element || !scrolled) return
    const look = () => {
      const before = view.current
      const top = scrolled.getBoundingClientRect().top - element.getBoundingClientRect().top
      view.current = { top: Math.round(top), height: scrolled.clientHeight }
      // A few pixels more or less draw the same rows.
      if (Math.abs(before.top - view.current.top) > 100 || before.height !== view.current.height) redraw()
    }
    look()
    scrolled.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(scrolled)
    return () => {
      scrolled.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [box])
  useLayoutEffect(() => {
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      heights.current.set(Number(row.dataset['index']), row.offsetHeight)
  })
  return { list, ...visibleRows(count, heights.current, view.current) }
}
