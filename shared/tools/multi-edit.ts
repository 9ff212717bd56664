import { z } from 'zod'
import { EditFileInput } from './edit-file.ts'
import type { ToolSpec } from './tool-spec.ts'

export const MultiEditInput = z.object({
  edits: z.array(EditFileInput).min(1).max(500).describe('The replacements, in order. Each one applies to the result of those before it.'),
})
export type MultiEditInput = z.infer<typeof MultiEditInput>

export const multiEditSpec = {
  name: 'multi_edit',
  verb: 'Edit',
  description: 'Makes several replacements, in one file or in several. Either all of them are made or none.',
  input: MultiEditInput,
} satisfies ToolSpec<typeof MultiEditInput>
