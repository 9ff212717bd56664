import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const DeleteFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
})
export type DeleteFileInput = z.infer<typeof DeleteFileInput>

export const deleteFileSpec = {
  name: 'delete_file',
  verb: 'Delete',
  description: 'Removes one file. Folders and links are removed with a command.',
  input: DeleteFileInput,
} satisfies ToolSpec<typeof DeleteFileInput>
