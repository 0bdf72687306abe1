import { useReactFlow, useStoreApi } from '@xyflow/react'
import { motionMs } from '../ui/motion-ms.ts'
import type { PlacedMessage } from './tree-layout.ts'
import { viewportOfTree } from './viewport-of-tree.ts'

/** Zooms to the whole tree at once. */
export function useFitTree(placed: readonly PlacedMessage[]): () => void {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  return () => void setViewport(viewportOfTree(placed, store.getState()), { duration: motionMs() })
}
