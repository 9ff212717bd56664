import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { arriving, fetchAhead, useArriving } from '../hooks/use-arriving.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import type { TerminalCanvasProps } from './terminal-canvas.tsx'
import styles from './terminal.module.css'

/** The emulator is large, so it comes when the first terminal is shown; with its font, since it measures its cells only once. */
const canvas = arriving(async () => {
  const [module] = await Promise.all([import('./terminal-canvas.tsx'), fontOf(document.documentElement)])
  return module
})

/** Resolves when what is written in the mono font can be measured; at worst in the font that stands in for it. */
async function fontOf(root: Element): Promise<void> {
  const family = getComputedStyle(root).getPropertyValue('--mono')
  await Promise.all(['400', '600'].map((weight) => document.fonts.load(`${weight} 12px ${family}`))).catch(() => [])
}

/** Fetches what a terminal needs before one is shown, so that the first keys typed into it find it there. */
export function prepareTerminals(): void {
  void fetchAhead(canvas)
}

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
        <ErrorBoundary isFrameless what="The terminal">
          <TerminalCanvas {...props} />
        </ErrorBoundary>
      )
    }
  }
}
