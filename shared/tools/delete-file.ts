import { z } from 'zod'
import { FILE_PATH } from './foreign-arguments/argument-aliases.ts'
import { NO_DRY_RUN } from './foreign-arguments/argument-refusals.ts'
import { filesLine, textArgument } from './spec/call-line.ts'
import { toolSpec } from './spec/tool-spec.ts'
import { WriteDetails } from './write-file.ts'

export const DeleteFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
})
export type DeleteFileInput = z.infer<typeof DeleteFileInput>

export const deleteFileSpec = toolSpec({
  name: 'delete_file',
  verb: 'Delete',
  description: 'Deletes one file. It does not delete folders or links.',
  input: DeleteFileInput,
  details: WriteDetails,
  line: (call) => filesLine('Delete', call, [textArgument(call, 'file_path')]),
  otherNames: ['remove_file'],
  aliases: FILE_PATH,
  refuses: NO_DRY_RUN,
})
