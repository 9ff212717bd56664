import { Component, type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import styles from './error-boundary.module.css'
import { crashWords } from './crash-words.ts'
import { ErrorNotice } from './error-notice.tsx'

export interface ErrorBoundaryProps {
  /** The part that cannot be shown: "The inspector". */
  readonly what: string
  /** Whether the error has no frame, because it is inside a row or a pane that has a frame. */
  readonly isFrameless?: boolean
  /** Renders the error where the part would be, if the part is not in the layout of the page: in a dialog, in a menu. */
  readonly renderNotice?: (notice: ReactNode) => ReactNode
  readonly children: ReactNode
}

interface Failed {
  readonly error: unknown
}

/** Shows an error in place of a part that fails to render, so that the rest of the desk still works. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: Failed | null }> {
  override state: { readonly failed: Failed | null } = { failed: null }

  static getDerivedStateFromError(error: unknown): { readonly failed: Failed } {
    return { failed: { error } }
  }

  override render(): ReactNode {
    const { failed } = this.state
    const { what, isFrameless = false, renderNotice, children } = this.props
    if (!failed) return children
    const { happened, details } = crashWords(what, failed.error)
    const notice = (
      <div className={isFrameless ? undefined : styles.place} role="alert" data-crashed>
        <ErrorNotice
          framed={!isFrameless}
          happened={happened}
          kept="Everything on disk is unchanged. An error in this window does not affect the agent."
          todo="Try again. If that does not help, reload the window; nothing is lost."
          actions={
            <>
              <Button small onPress={() => this.setState({ failed: null })}>
                Try again
              </Button>
              <Button small variant="quiet" onPress={() => location.reload()}>
                Reload the window
              </Button>
              {details !== null && <CrashDetails text={details} />}
            </>
          }
        />
      </div>
    )
    return renderNotice ? renderNotice(notice) : notice
  }
}

/** Buttons that show and copy the text of an error for a bug report. The text is in a row of its own below them. */
function CrashDetails({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button small variant="quiet" expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        Details
      </Button>
      <Button small variant="quiet" onPress={() => void navigator.clipboard.writeText(text)}>
        Copy the details
      </Button>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must be able to scroll it
        <pre className={styles.text} tabIndex={0}>
          {text}
        </pre>
      )}
    </>
  )
}
