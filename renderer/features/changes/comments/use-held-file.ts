import { useState } from 'react'
import type { ReviewFile } from '../review-files.ts'

/**
 * Returns the file to show. While `isHeld` is true, a newer version of the same file does not replace the shown one, so that a comment that
 * is being written keeps its text, its focus and its lines when the agent changes the file.
 */
export function useHeldFile(file: ReviewFile | null, isHeld: boolean): ReviewFile | null {
  const [held, setHeld] = useState(file)
  const shown = isHeld && held?.path === file?.path ? held : file
  if (shown !== held) setHeld(shown)
  return shown
}
