import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { arriving, useArriving } from '../hooks/use-arriving.ts'
import { Boundary } from '../notices/boundary.tsx'
import type { TerminalCanvasProps } from './terminal-canvas.tsx'
import styles from './terminal.module.css'

/** The emulator is large, so it comes when the first terminal is shown. */
const canvas = arriving(() => import('./terminal-canvas.tsx'))

/** A command's terminal, live or as it ended. */
export function TerminalView(props: TerminalCanvasProps): ReactNode {
  const arrival = useArriving(canvas)
  switch (arrival.kind) {
    case 'coming':
      return <p className={styles.words}>Opening the terminal…</p>
    case 'failed':
      return (
        <p className={styles.words}>
          The terminal did not arrive: {arrival.message}{' '}
          <Button small onPress={arrival.retry}>
            Fetch it again
          </Button>
        </p>
      )
    case 'here': {
      const { TerminalCanvas } = arrival.value
      return (
        <Boundary what="The terminal">
          <TerminalCanvas {...props} />
        </Boundary>
      )
    }
  }
}
