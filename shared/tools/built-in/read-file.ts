import { z } from 'zod'
import { FILE_PATH, LINES, list, named, withLineCount } from '../foreign-arguments/argument-aliases.ts'
import { each, EXCLUSIONS, isOtherThan } from '../foreign-arguments/argument-refusals.ts'
import { callLine, joined, listOf, pathLine, textArgument, textOf } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

export const ReadFileInput = z.object({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  offset: z.number().int().min(1).optional().describe('Line to start from; the first line is 1.'),
  limit: z.number().int().min(1).optional().describe('Number of lines to read. Default: 2000.'),
})
export type ReadFileInput = z.infer<typeof ReadFileInput>

export const ReadFileDetails = z.object({
  path: z.string(),
  firstLine: z.number(),
  lines: z.number(),
  totalLines: z.number(),
  /** SHA-256 of the complete file at the time of the read. */
  hash: z.string(),
})
export type ReadFileDetails = z.infer<typeof ReadFileDetails>

export const readFileSpec = toolSpec({
  name: 'read_file',
  verb: 'Read',
  description:
    'Reads a file. Each line of text is preceded by its number and a tab, which are not part of the file. Also shows images, PDF files and notebooks.',
  use: 'In a long file, read only the part you need.',
  input: ReadFileInput,
  reads: 'project',
  details: ReadFileDetails,
  line: (call, details) => pathLine('Read', textArgument(call, 'file_path'), details === null ? '' : partRead(details)),
  otherNames: ['Read', 'view_image'],
  editorCommands: ['view'],
  aliases: { ...FILE_PATH, ...LINES },
  complete: withLineCount,
  refuses: {
    ...each(['pages', 'page', 'page_range'], { why: 'Documents are read completely.' }),
    encoding: { why: 'The encoding is detected automatically.', when: isOtherThan('utf-8', 'utf8', 'utf_8', 'ascii', 'auto') },
  },
})

/** Describes which lines were read. Empty if all lines were read. */
function partRead({ path, firstLine, lines, totalLines }: ReadFileDetails): string {
  // Only an image has no lines and can still be read.
  if (totalLines === 0 && /\.(?:png|jpe?g|gif|webp)$/iu.test(path)) return 'as an image'
  return lines === totalLines ? '' : `lines ${firstLine} to ${firstLine + lines - 1} of ${totalLines}`
}

export const ReadManyFilesInput = z.object({
  paths: z.array(z.string().min(1)).min(1).max(100).describe('Paths and globs such as `src/**/*.ts`, relative to the working directory.'),
})
export type ReadManyFilesInput = z.infer<typeof ReadManyFilesInput>

export const ReadManyDetails = z.object({
  read: z.array(z.string()),
  /** Files that were given or matched but not read, because they are too long or not readable. */
  left: z.array(z.string()).default([]),
  /**
   * The parts of the output in order. Each part consists of a line with the file's name, followed by `lines` lines. The first `numbered` of
   * these lines are lines of the file. If absent, an older version stored the output.
   */
  sections: z.array(z.object({ path: z.string(), lines: z.number(), numbered: z.number() })).optional(),
})
export type ReadManyDetails = z.infer<typeof ReadManyDetails>

export const readManyFilesSpec = toolSpec({
  name: 'read_many_files',
  verb: 'Read',
  description: 'Reads several text files. Each is returned with its name and numbered lines. Files that do not fit are listed.',
  use: 'Use it to read several files in one call.',
  input: ReadManyFilesInput,
  reads: 'project',
  details: ReadManyDetails,
  line(call, details) {
    if (details === null) return { verb: 'Read', subjects: listOf(call.args?.['paths']).map(textOf), rest: '' }
    const left = details.left.length > 0 ? `${details.left.length} left out` : ''
    const [only = ''] = details.read
    if (details.read.length === 1) return callLine('Read', only, left)
    const names = details.read.map((path) => path.split('/').at(-1) ?? '')
    return callLine(`Read ${details.read.length} files`, '', joined([...names, left], ', '))
  },
  aliases: named(['paths', 'files', 'file_paths', 'include', 'pattern'], list('paths')),
  refuses: each([...EXCLUSIONS, 'ignore'], { why: 'List only the files to read.' }),
})
