import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const SaveMemoryInput = z.object({ fact: z.string().min(1).max(4000).describe('The note, one sentence.') })
export type SaveMemoryInput = z.infer<typeof SaveMemoryInput>

/** Accepted under Gemini's name for it; not offered, since any edit of the memory file does the same. */
export const saveMemorySpec = {
  name: 'save_memory',
  verb: 'Add to',
  description: 'Adds a note to the end of the project memory file.',
  input: SaveMemoryInput,
} satisfies ToolSpec<typeof SaveMemoryInput>
