import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const ReadManyFilesInput = z.object({
  paths: z.array(z.string().min(1)).min(1).max(100).describe('Paths and globs such as `src/**/*.ts`, relative to the working directory.'),
})
export type ReadManyFilesInput = z.infer<typeof ReadManyFilesInput>

export interface ReadManyDetails {
  readonly read: readonly string[]
  /** Named or matched, and not read: too much for one answer, or not readable. */
  readonly left: readonly string[]
}

export const readManyFilesSpec = {
  name: 'read_many_files',
  verb: 'Read',
  description: 'Reads several text files. Each is returned with its name and numbered lines. Files that do not fit are listed.',
  input: ReadManyFilesInput,
} satisfies ToolSpec<typeof ReadManyFilesInput>
