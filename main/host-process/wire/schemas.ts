import { z } from 'zod'
import type { DirEntry, ExecResult, FileStat, GlobResult, GrepResult, OutputChunk } from '../../agent/ports/execution-environment.ts'

/** A number that may be infinite or not a number, as `frameOf` writes it. */
export const amount = z.union([
  z.number(),
  z.object({ $number: z.enum(['NaN', 'Infinity', '-Infinity']) }).transform(({ $number }) => Number($number)),
])

export const size = z.object({ columns: z.int().positive().max(10_000), rows: z.int().positive().max(10_000) })

export const variables = z.record(z.string(), z.string())

/** What the near side wants to hear about a command while it runs. */
export const wants = z.array(z.enum(['output', 'progress', 'start', 'waiting', 'spool', 'spoolText', 'terminal']))
export type Want = z.infer<typeof wants>[number]

export const fileStat = z.object({
  kind: z.enum(['file', 'folder', 'symlink', 'other']),
  size: z.number(),
  mode: z.number(),
  mtimeMs: z.number(),
  inode: z.number(),
  links: z.number(),
}) satisfies z.ZodType<FileStat>

export const dirEntries = z
  .array(z.object({ name: z.string(), isDir: z.boolean(), size: z.number().nullable() }))
  .readonly() satisfies z.ZodType<readonly DirEntry[]>

const outcomeOf = <T extends z.ZodType>(value: T) =>
  z.union([z.object({ is: value }), z.object({ code: z.string().nullable(), message: z.string() })])

/** What is known about a path. `bytes`: the length of its content, null if the content does not come. `entries`: of a folder, if they come. */
export const pathFacts = z.object({
  path: z.string(),
  real: outcomeOf(z.string()),
  stat: outcomeOf(fileStat.nullable()),
  lstat: outcomeOf(fileStat.nullable()),
  bytes: z.int().nonnegative().nullable(),
  entries: dirEntries.nullable(),
})

export const grepResult = z.object({
  matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string(), isContext: z.boolean() })).readonly(),
  capped: z.boolean(),
}) satisfies z.ZodType<GrepResult>

export const globResult = z.object({ paths: z.array(z.string()).readonly(), total: z.number() }) satisfies z.ZodType<GlobResult>

export const outputChunk = z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() }) satisfies z.ZodType<OutputChunk>

const execMembers = {
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  aborted: z.boolean(),
  durationMs: z.number(),
  bytes: z.number(),
  complete: z.boolean(),
  missing: z.number().exactOptional(),
  leftRunning: z.array(z.number()).readonly().exactOptional(),
  waitedForInput: z.boolean().exactOptional(),
  timeoutNote: z.string().exactOptional(),
}

export const execResult = z.object(execMembers) satisfies z.ZodType<ExecResult>

/** Below the folder, because changes elsewhere are not compared. */
export const relativePath = z.string().refine((path) => !path.startsWith('/') && !path.split('/').includes('..'))
/** A file without its bytes, which follow in the order of the changes, the earlier version first. */
const comparedFile = z.object({ bytes: z.int().nonnegative(), mode: z.int().nullable() }).nullable()

export const foundChanges = z.object({
  changes: z.array(z.object({ path: relativePath, before: comparedFile, after: comparedFile })).readonly(),
  folders: z.array(z.object({ path: relativePath, before: z.int().nullable(), after: z.int().nullable() })).readonly(),
  files: z.number(),
  leftOut: z.array(z.string()).readonly(),
})

/** The result of a command in a lasting shell, with the folder in which the shell is afterwards. */
export const shellRunResult = z.object({ ...execMembers, shellEnded: z.boolean(), cwd: z.string() })
