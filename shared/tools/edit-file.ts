import { z } from 'zod'
import { type ToolSpec, UNLISTED } from './tool-spec.ts'

export const EditFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  /** Empty for a file that is not there yet: `new_string` is its content then. */
  old_string: z
    .string()
    .describe('The exact text to replace, without line numbers. It must occur exactly once in the file unless replace_all is set.'),
  new_string: z.string().describe('The text that replaces it.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence. Default: false.'),
  /** How many occurrences are replaced; any other number of them is an error. */
  expected_replacements: z.number().int().min(1).optional().meta(UNLISTED),
  /** Instead of a replacement: `new_string` becomes new lines after this one; 0 is the beginning. `old_string` is empty then. */
  insert_line: z.number().int().min(0).optional().meta(UNLISTED),
})
export type EditFileInput = z.infer<typeof EditFileInput>

export const editFileSpec = {
  name: 'edit_file',
  verb: 'Edit',
  description: 'Replaces a piece of text in a file.',
  input: EditFileInput,
} satisfies ToolSpec<typeof EditFileInput>
