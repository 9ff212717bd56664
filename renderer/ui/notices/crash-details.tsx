import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import styles from './error-boundary.module.css'

/** Buttons that show and copy the text of an error for a bug report. The text is in a row of its own below them. */
export function CrashDetails({ text }: { readonly text: string }): ReactNode {
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
