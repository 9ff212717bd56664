import { Component, type ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import styles from './error-boundary.module.css'
import { ErrorNotice } from './error-notice.tsx'

export interface ErrorBoundaryProps {
  /** What cannot be shown: "The inspector". */
  readonly what: string
  readonly children: ReactNode
}

interface Failed {
  readonly error: unknown
}

/** Keeps a mistake in one part from taking the whole desk with it: that part says so, the others go on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: Failed | null }> {
  override state: { readonly failed: Failed | null } = { failed: null }

  static getDerivedStateFromError(error: unknown): { readonly failed: Failed } {
    return { failed: { error } }
  }

  override render(): ReactNode {
    const { failed } = this.state
    if (!failed) return this.props.children
    const message = failed.error instanceof Error ? failed.error.message : String(failed.error)
    return (
      <div className={styles.place} role="alert">
        <ErrorNotice
          framed
          happened={`${this.props.what} cannot be shown: ${message}`}
          kept="Everything in the history; the agent is not touched by what this window shows."
          todo="Show it again, or reload the window."
          actions={
            <Button small className="push" onPress={() => this.setState({ failed: null })}>
              Show it again
            </Button>
          }
        />
      </div>
    )
  }
}
