import { z } from 'zod'
import { EditFileInput } from './edit-file.ts'
import type { ToolSpec } from './tool-spec.ts'

export const MultiEditInput = z.object({
  edits: z.array(EditFileInput).min(1).max(500).describe('Replacements, made one after the other: each finds what those before it left.'),
})
export type MultiEditInput = z.infer<typeof MultiEditInput>

export const multiEditSpec = {
  name: 'multi_edit',
  verb: 'Edit',
  description:
    'Makes several replacements in one file or many, all of them or none. Each works like edit_file: old_string must occur exactly once unless replace_all is set.',
  input: MultiEditInput,
} satisfies ToolSpec<typeof MultiEditInput>
