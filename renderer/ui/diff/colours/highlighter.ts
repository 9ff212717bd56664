import { WorkerPoolManager } from '@pierre/diffs/worker'
import { registerGrammars } from './grammars.ts'
import { registerSyntaxTheme, SYNTAX_THEME } from './syntax-theme.ts'

let pool: WorkerPoolManager | null = null

/**
 * Maximum number of lines of one version of a file that are highlighted. The worker highlights complete files: 200,000 lines would keep it
 * busy for seconds, and receiving the result would block this thread for 300 ms.
 */
export const MAX_HIGHLIGHTED_LINES = 10_000

/**
 * The single worker that highlights diffs. If it cannot start, the component highlights on this thread. Our policy forbids WASM engines, so
 * the JavaScript engine is used.
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
