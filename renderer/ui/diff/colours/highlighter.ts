import { WorkerPoolManager } from '@pierre/diffs/worker'
import { registerGrammars } from './grammars.ts'
import { registerSyntaxTheme, SYNTAX_THEME } from './syntax-theme.ts'

let pool: WorkerPoolManager | null = null

/**
 * The one worker that colours diffs. Without it (it could not start) the component colours on this thread. WASM engines draw nothing
 * under our policy, hence the engine in JavaScript.
 */
export function highlighterPool(): WorkerPoolManager {
  if (pool) return pool
  registerGrammars()
  registerSyntaxTheme()
  pool = new WorkerPoolManager(
    { workerFactory: () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' }), poolSize: 1 },
    {
      theme: SYNTAX_THEME,
      preferredHighlighter: 'shiki-js',
      lineDiffType: 'word-alt',
      maxLineDiffLength: 2_000,
      tokenizeMaxLineLength: 2_000,
    },
  )
  return pool
}
