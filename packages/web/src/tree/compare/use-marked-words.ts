import { type RefObject, useEffect, useState } from 'react'
import type { WireNode } from 'turnbuckle/client'
import { pairSpeeches } from './pair-speeches.ts'
import { placedWords, runsOf } from './placed-words.ts'
import { tellWords } from './tell-words.ts'
import { wordDiff } from './word-diff.ts'

/** The names that tree.css has for the words of each branch. */
const names = ['words-of-first', 'words-of-second'] as const

/** False in a browser without highlights, which marks no words. */
export const canMarkWords = (): boolean => 'CSS' in globalThis && 'highlights' in CSS

/** Sentences for people who do not see marks, by the message that each is about. */
export type ToldWords = ReadonlyMap<string, string>
const nothing: ToldWords = new Map()

/**
 * Marks the words that the other branch does not have in the messages as they are drawn, which stay as they are: code is coloured and
 * formulas are set later than the text, and the words are marked again then. Gives the same in words.
 */
export function useMarkedWords(
  box: RefObject<HTMLElement | null>,
  left: readonly WireNode[],
  right: readonly WireNode[],
  isOn: boolean,
): ToldWords {
  const [told, setTold] = useState(nothing)
  useEffect(() => {
    const element = box.current
    if (!isOn || !element || !canMarkWords()) return undefined
    const pairs = pairSpeeches(left, right)
    let frame = 0
    const mark = () => {
      const found = pairs.map(([a, b]) => changedRanges(drawn(element, a?.id), drawn(element, b?.id)))
      for (const [side, name] of names.entries())
        CSS.highlights.set(name, new Highlight(...found.flatMap(ranges => ranges[side] ?? [])))
      const now = new Map(pairs.flatMap((pair, i) => toldOf(pair, found[i])))
      // The sentences change the page themselves: told again, they must not be marked again without end.
      setTold(before => (isSame(before, now) ? before : now))
    }
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(mark)
    })
    mark()
    observer.observe(element, { subtree: true, childList: true, characterData: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      for (const name of names) CSS.highlights.delete(name)
      setTold(nothing)
    }
  }, [box, left, right, isOn])
  return told
}

type Ranges = readonly [readonly Range[], readonly Range[]]

/** What is told of the two messages of a pair. */
function toldOf(pair: ReturnType<typeof pairSpeeches>[number], ranges: Ranges | undefined): [string, string][] {
  const hasCounterpart = pair[0] !== undefined && pair[1] !== undefined
  return pair.flatMap((speech, side) => {
    const words = tellWords((ranges?.[side] ?? []).map(String), hasCounterpart)
    return speech && words !== undefined ? [[speech.id, words] as [string, string]] : []
  })
}

const isSame = (a: ToldWords, b: ToldWords): boolean =>
  a.size === b.size && [...a].every(([id, words]) => b.get(id) === words)

const drawn = (box: Element, id: string | undefined): Element | null =>
  id === undefined ? null : box.querySelector(`[data-words-of="${CSS.escape(id)}"]`)

/** The words of two messages that are not in the other, as they stand on the page. */
function changedRanges(left: Element | null, right: Element | null): Ranges {
  const [a, b] = [left, right].map(element => (element ? placedWords(element) : []))
  if (!a || !b) return [[], []]
  const diff = wordDiff(
    a.map(({ word }) => word),
    b.map(({ word }) => word),
  )
  return [runsOf(a, diff.left).map(rangeOf), runsOf(b, diff.right).map(rangeOf)]
}

function rangeOf({ node, start, end }: ReturnType<typeof runsOf>[number]): Range {
  const range = new Range()
  range.setStart(node, start)
  range.setEnd(node, end)
  return range
}
