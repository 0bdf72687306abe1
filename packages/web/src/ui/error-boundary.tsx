import { Component, type ReactNode } from 'react'

interface Props {
  /** Name of the guarded part of the page: "The tree". */
  readonly what: string
  readonly children: ReactNode
}

/** A part of the page that fails, or cannot be loaded, is replaced by a message. The rest of the page stays. */
export class ErrorBoundary extends Component<Props, { readonly problem: string | undefined }> {
  override state: { readonly problem: string | undefined } = { problem: undefined }

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    if (this.state.problem === undefined) return this.props.children
    return (
      <div className="empty" role="alert">
        <h2>{this.props.what} cannot be shown</h2>
        <p>{this.state.problem}</p>
        <p>Nothing is lost. Load the page again once the server answers.</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    )
  }
}
