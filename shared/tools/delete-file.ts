import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const DeleteFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
})
export type DeleteFileInput = z.infer<typeof DeleteFileInput>

export const deleteFileSpec = {
  name: 'delete_file',
  verb: 'Delete',
  description: 'Deletes one file. It does not delete folders or links.',
  input: DeleteFileInput,
} satisfies ToolSpec<typeof DeleteFileInput>
