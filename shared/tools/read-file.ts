import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ReadFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  offset: z.number().int().min(1).optional().describe('Line to begin with; the first line is 1.'),
  limit: z.number().int().min(1).optional().describe('Number of lines; 2000 when left out.'),
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
    'Reads a text file. Lines come numbered from 1, as `     1<tab>text`; the numbers are not part of the file. Read a file before you edit it.',
  input: ReadFileInput,
} satisfies ToolSpec<typeof ReadFileInput>
