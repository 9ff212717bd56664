import { z } from 'zod'
import { FILE_PATH, named, rename } from '../foreign-arguments/argument-aliases.ts'
import { each, isOtherThan, NO_DRY_RUN } from '../foreign-arguments/argument-refusals.ts'
import { filesLine, textArgument } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

export const WriteFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  content: z.string().describe('The whole new content.'),
})
export type WriteFileInput = z.infer<typeof WriteFileInput>

/** Details that every tool that writes files stores. */
export const WriteDetails = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      shown: z.string(),
      created: z.boolean(),
      deleted: z.boolean().optional(),
      /** Number of added lines. Null, like `removed`, if the lines were not counted. */
      added: z.number().nullable(),
      removed: z.number().nullable(),
    }),
  ),
})
export type WriteDetails = z.infer<typeof WriteDetails>

export const writeFileSpec = toolSpec({
  name: 'write_file',
  verb: 'Write',
  description: 'Creates a file or replaces its whole content. Missing folders are created.',
  use: 'Use it for a new file, or if nearly all of a file changes.',
  input: WriteFileInput,
  details: WriteDetails,
  line: (call) => filesLine('Write', call, [textArgument(call, 'file_path')]),
  otherNames: ['Write', 'create_file'],
  editorCommands: ['create'],
  aliases: { ...FILE_PATH, ...named(['contents', 'text', 'file_text'], rename('content')) },
  refuses: {
    ...NO_DRY_RUN,
    append: { why: 'The whole file is written. Edit the file to add to it.' },
    mode: {
      why: 'The whole file is written and keeps its permissions. Edit the file to add to it.',
      when: isOtherThan('w', 'write', 'overwrite', 'create'),
    },
    overwrite: { why: 'An existing file is replaced. Check first whether it exists.', when: (value) => value === false },
    encoding: {
      why: 'A file keeps its encoding; a new file is written in UTF-8.',
      when: isOtherThan('utf-8', 'utf8', 'utf_8', 'ascii'),
    },
    ...each(['insert_line', 'line', 'offset', 'start_line', 'end_line'], {
      why: 'The whole file is written. Edit the file to change a part of it.',
    }),
  },
})

export const DeleteFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
})
export type DeleteFileInput = z.infer<typeof DeleteFileInput>

export const deleteFileSpec = toolSpec({
  name: 'delete_file',
  verb: 'Delete',
  description: 'Deletes one file. It does not delete folders or links.',
  use: 'Use it instead of a command to delete a file.',
  input: DeleteFileInput,
  details: WriteDetails,
  line: (call) => filesLine('Delete', call, [textArgument(call, 'file_path')]),
  otherNames: ['remove_file'],
  aliases: FILE_PATH,
  refuses: NO_DRY_RUN,
})
