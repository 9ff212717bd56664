import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ReadFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  offset: z.number().int().min(1).optional().describe('Line to start from; the first line is 1.'),
  limit: z.number().int().min(1).optional().describe('Number of lines to read. Default: 2000.'),
})
export type ReadFileInput = z.infer<typeof ReadFileInput>

export interface ReadFileDetails {
  readonly path: string
  readonly firstLine: number
  readonly lines: number
  readonly totalLines: number
  /** Of the whole file's bytes, so that a later edit can tell whether it changed since. */
  readonly hash: string
}

export const readFileSpec = {
  name: 'read_file',
  verb: 'Read',
  description:
    'Reads a file. Each line of text is preceded by its number and a tab, which are not part of the file. Also shows images, PDF files and notebooks.',
  input: ReadFileInput,
} satisfies ToolSpec<typeof ReadFileInput>
