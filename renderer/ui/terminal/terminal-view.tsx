import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { LazyPart, useLazyPart } from '../hooks/use-lazy-part.ts'
import { ErrorBoundary } from '../notices/error-boundary.tsx'
import type { TerminalCanvasProps } from './terminal-canvas.tsx'
import styles from './terminal.module.css'

/**
 * The emulator is large, so it is loaded with the first terminal. The terminal font is loaded at the same time, because the emulator
 * measures its cells only once.
 */
const canvas = new LazyPart(async () => {
  const [{ TerminalCanvas }] = await Promise.all([import('./terminal-canvas.tsx'), fontOf(document.documentElement)])
  return TerminalCanvas
})

/** Resolves when the fixed-width font is loaded, or when loading failed and the fallback is used. */
async function fontOf(root: Element): Promise<void> {
  const family = getComputedStyle(root).getPropertyValue('--mono')
  await Promise.all(['400', '600'].map((weight) => document.fonts.load(`${weight} 12px ${family}`))).catch(() => [])
}

/** Loads the emulator in advance, so that the first typed keys are not lost. */
export function prepareTerminals(): void {
  canvas.fetch()
}

/** A command's terminal, live or in its final state. */
export function TerminalView(props: TerminalCanvasProps): ReactNode {
  const arrival = useLazyPart(canvas)
  switch (arrival.kind) {
    case 'coming':
      return <p className={styles.words}>Opening the terminal…</p>
    case 'failed':
      return (
        <p className={styles.words}>
          The terminal could not be loaded: {arrival.message}{' '}
          <Button small onPress={arrival.retry}>
            Try again
          </Button>
        </p>
      )
    case 'here': {
      const TerminalCanvas = arrival.value
      return (
        <ErrorBoundary isFrameless what="The terminal">
          <TerminalCanvas {...props} />
        </ErrorBoundary>
      )
    }
  }
}
