import { Component, type ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { ErrorNotice } from './error-notice.tsx'

export interface BoundaryProps {
  /** What would have been shown: "The difference". */
  readonly what: string
  readonly children: ReactNode
}

/** Keeps a part that fails to draw (its code did not arrive, or has a bug) from taking the desk with it, and offers to try again. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <ErrorNotice
        happened={`${this.props.what} could not be drawn: ${error.message}`}
        kept="Everything else on the desk, and all that is on disk."
        todo="Try again. If that does not help, reload the window; nothing is lost by that."
        actions={
          <>
            <Button small onPress={() => this.setState({ error: null })}>
              Try again
            </Button>
            <Button small variant="quiet" onPress={() => location.reload()}>
              Reload the window
            </Button>
          </>
        }
      />
    )
  }
}
