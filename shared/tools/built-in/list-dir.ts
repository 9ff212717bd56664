import { z } from 'zod'
import { FILTERING, FOLDER, named, rename } from '../foreign-arguments/argument-aliases.ts'
import { each, isNotFirst } from '../foreign-arguments/argument-refusals.ts'
import { pathLine, textArgument } from '../spec/call-line.ts'
import { toolSpec, UNLISTED } from '../spec/tool-spec.ts'

export const ListDirInput = z.object({
  path: z.string().optional().describe('Folder to list. Default: the working directory.'),
  depth: z.number().int().min(1).max(10).optional().describe('Number of levels to show. Default: 1.'),
  ignore: z.array(z.string()).optional().meta(UNLISTED),
  respect_git_ignore: z.boolean().optional().meta(UNLISTED),
})
export type ListDirInput = z.infer<typeof ListDirInput>

export const ListDirDetails = z.object({
  path: z.string(),
  /** Number of entries that are listed. */
  entries: z.number(),
  /** Whether there are more entries. */
  capped: z.boolean().default(false),
})
export type ListDirDetails = z.infer<typeof ListDirDetails>

/** Maximum depth that is shown. */
const DEEPEST = 10

export const listDirSpec = toolSpec({
  name: 'list_dir',
  verb: 'List',
  description: 'Lists a folder, including hidden and ignored files. Folders end with a slash; files are shown with their size in bytes.',
  use: 'Use it to see how a folder is organized.',
  input: ListDirInput,
  reads: 'project',
  details: ListDirDetails,
  line: (call) => pathLine('List', textArgument(call, 'path') || '.'),
  otherNames: ['LS', 'list', 'list_files', 'list_directory'],
  aliases: {
    ...FOLDER,
    ...FILTERING,
    recursive: (value) => (value === true ? { depth: DEEPEST } : {}),
    max_depth: rename('depth'),
    ...named(['file_path', 'target_directory'], rename('path')),
  },
  refuses: each(['offset', 'start'], { why: 'Name a subfolder, or a smaller depth.', when: isNotFirst }),
})
