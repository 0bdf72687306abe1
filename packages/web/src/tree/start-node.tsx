import { Handle, Position } from '@xyflow/react'
import { memo, type ReactNode } from 'react'

/** The node above the first messages, of which a conversation may have several. */
export const StartNode = memo(function StartNode(): ReactNode {
  return (
    <>
      <span className="tree-start">Start</span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
})
