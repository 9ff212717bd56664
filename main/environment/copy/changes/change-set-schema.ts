import { z } from 'zod'
import type {
  CopiedEntry,
  CopyChange,
  CopyChangeSet,
  CopyObstacle,
  KeptChangeSet,
  StandingEntry,
} from '../../../agent/ports/command-copies.ts'
import { createSlices, eventLoopTurn } from '../../../agent/event-loop-slices.ts'
import { EnvironmentFailure } from '../../environment-failure.ts'

/**
 * The path must be relative to the folder and below it, because the change set may have been stored for a long time or come from an
 * imported session.
 */
const pathInside = z
  .string()
  .refine((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0')))

const owner = z
  .string()
  .regex(/^\d+:\d+$/)
  .exactOptional()
const file = z.object({
  kind: z.literal('file'),
  mode: z.int().min(0).max(0o1777),
  size: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mtimeMs: z.number(),
  owner,
})
const link = z.object({ kind: z.literal('link'), target: z.string(), owner })
const folder = z.object({ kind: z.literal('folder'), mode: z.int().min(0).max(0o1777), owner })
export const ignoredTreeSchema = z.object({
  kind: z.literal('tree'),
  mode: z.int().min(0).max(0o1777),
  files: z.int().min(0),
  bytes: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  held: z.string().regex(/^(?:held-\d+\.\d+(?:\.\d+)?-[0-9a-f]{12}\/\d+)?$/),
})
const inode = { inode: z.string() }

export const copiedEntrySchema: z.ZodType<CopiedEntry> = z.discriminatedUnion('kind', [file, link, folder, ignoredTreeSchema])
export const standingEntrySchema: z.ZodType<StandingEntry> = z.discriminatedUnion('kind', [
  file.extend(inode),
  link.extend(inode),
  folder.extend(inode),
])

const changeSchema: z.ZodType<CopyChange> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created'), path: pathInside, after: copiedEntrySchema, movedFrom: z.string().exactOptional() }),
  z.object({ kind: z.literal('modified'), path: pathInside, before: standingEntrySchema, after: copiedEntrySchema }),
  z.object({ kind: z.literal('deleted'), path: pathInside, before: standingEntrySchema }),
])

const obstacleSchema: z.ZodType<CopyObstacle> = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['changed-meanwhile', 'unreadable-file', 'unreadable-name', 'unreadable-link', 'long-path']), path: z.string() }),
  z.object({ kind: z.enum(['too-many-files', 'too-many-bytes']), limit: z.number() }),
  z.object({ kind: z.literal('blocked'), what: z.string() }),
  z.object({ kind: z.literal('stopped'), reason: z.string() }),
])

const leftOutSchema = z.object({
  path: z.string(),
  what: z.enum(['socket', 'fifo', 'device', 'set-id-bits', 'hard-link', 'attributes', 'owner']),
})

export const changeSetSchema = z.object({
  changes: z.array(changeSchema).readonly(),
  obstacles: z.array(obstacleSchema).readonly(),
  leftOut: z.array(leftOutSchema).readonly(),
}) satisfies z.ZodType<CopyChangeSet>

export const keptChangeSetSchema = changeSetSchema.extend({
  version: z.literal(1),
  folder: z.string(),
  device: z.string(),
}) satisfies z.ZodType<KeptChangeSet>

/** Its changes are parsed one by one. */
const keptWithoutChanges = keptChangeSetSchema.extend({ changes: z.array(z.unknown()) })

/**
 * Reads a change set that was stored as JSON, in slices of a few milliseconds. Rejects with a failure with code `EINVAL` if the text is not
 * a change set.
 */
export async function parseKept(text: string): Promise<KeptChangeSet> {
  // This yields to the event loop, because the caller may have just spent time on writing an event with all these changes.
  await eventLoopTurn()
  try {
    const { changes, ...kept } = keptWithoutChanges.parse(JSON.parse(text))
    const slice = createSlices()
    const parsed: CopyChange[] = []
    for (const change of changes) {
      await slice()
      parsed.push(changeSchema.parse(change))
    }
    return { ...kept, changes: parsed }
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new EnvironmentFailure('EINVAL', `The stored changes of a command cannot be read: ${why}`, error)
  }
}
