import { z } from 'zod'
import { FILTERING, FOLDER, rename } from '../foreign-arguments/argument-aliases.ts'
import { each, EXCLUSIONS, isOtherThan } from '../foreign-arguments/argument-refusals.ts'
import { callLine, textArgument } from '../spec/call-line.ts'
import { toolSpec, UNLISTED } from '../spec/tool-spec.ts'

export const GlobInput = z.object({
  pattern: z.string().min(1).describe('Glob such as `src/**/*.ts`.'),
  path: z.string().optional().describe('Folder to search. Default: the working directory.'),
  case_sensitive: z.boolean().optional().meta(UNLISTED),
  respect_git_ignore: z.boolean().optional().meta(UNLISTED),
})
export type GlobInput = z.infer<typeof GlobInput>

export const GlobDetails = z.object({
  pattern: z.string(),
  total: z.number(),
  /** Whether there are more paths than are listed. */
  capped: z.boolean().default(false),
  /** The first 100 paths, newest first. */
  paths: z.array(z.string()),
})
export type GlobDetails = z.infer<typeof GlobDetails>

export const globSpec = toolSpec({
  name: 'glob',
  verb: 'Find',
  description: 'Lists files whose path matches a glob, newest first. Skips what .gitignore excludes.',
  use: 'Use it if you know part of a file name or path.',
  input: GlobInput,
  reads: 'project',
  details: GlobDetails,
  line(call) {
    const path = textArgument(call, 'path')
    return callLine('Find', textArgument(call, 'pattern'), path === '' ? '' : `in ${path}`)
  },
  otherNames: ['Glob', 'find'],
  aliases: { ...FOLDER, ...FILTERING, glob_pattern: rename('pattern') },
  refuses: {
    ...each([...EXCLUSIONS, 'ignore'], { why: 'Write a pattern that matches only what you want.' }),
    type: { why: 'Only files are listed.', when: isOtherThan('f', 'file', 'files') },
  },
})
