import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const WriteFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  content: z.string().describe('The whole new content.'),
})
export type WriteFileInput = z.infer<typeof WriteFileInput>

/** Of write_file, edit_file and every other tool that writes files. */
export interface WriteDetails {
  readonly files: readonly {
    readonly path: string
    readonly shown: string
    readonly created: boolean
    readonly deleted?: boolean
    readonly added: number
    readonly removed: number
  }[]
}

export const writeFileSpec = {
  name: 'write_file',
  verb: 'Write',
  description: 'Creates a file or replaces its whole content. Missing folders are created.',
  input: WriteFileInput,
} satisfies ToolSpec<typeof WriteFileInput>
