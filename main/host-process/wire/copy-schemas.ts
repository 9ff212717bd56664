import { z } from 'zod'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { SetAside } from '../../../shared/session/file-change.ts'
import { GIT_OPERATIONS, type GitChange } from '../../../shared/session/git-change.ts'
import type {
  ApplyOutcome,
  BashState,
  BlockedHost,
  ConfinementOwner,
  CopySupport,
  EndedCopy,
  SecondTry,
  SignedFile,
} from '../../agent/ports/command-copies.ts'
import type { Recovered } from '../../environment/copy/apply-journal.ts'
import { changeSetSchema } from '../../environment/copy/changes/change-set-schema.ts'
import { execResult } from './schemas.ts'

export const copySupport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('present') }),
  z.object({ kind: z.literal('absent'), reason: z.string(), wayOut: z.string() }),
]) satisfies z.ZodType<CopySupport>

export const blockedHost = z.object({ host: z.string().max(1_000), port: z.int().min(0).max(65_535) }) satisfies z.ZodType<BlockedHost>

export const bashState = z.object({ script: z.string(), folder: z.string() }) satisfies z.ZodType<BashState>

const port = z.int().min(1).max(65_535)

const secondTry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('local-port'), port }),
  z.object({ kind: z.literal('filled') }),
  z.object({ kind: z.literal('without-hard-links') }),
]) satisfies z.ZodType<SecondTry>

const strings = z.array(z.string()).readonly()

/** The members of an ended copy that are not functions. */
export const endedCopy = z.object({
  result: execResult,
  changeSet: changeSetSchema,
  blocked: z.array(blockedHost).readonly(),
  stopped: z.string().nullable(),
  unfit: z.string().nullable(),
  isHalf: z.boolean().exactOptional(),
  secondTry: secondTry.nullable(),
  hidden: strings,
  notes: strings,
  stateAfter: bashState.nullable(),
}) satisfies z.ZodType<Omit<EndedCopy, 'bytes' | 'apply' | 'keep' | 'gitChange' | 'drop'>>

const trouble = z.object({ code: z.string(), what: z.string(), kept: z.string(), todo: z.string() })

export const applyOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied') }),
  z.object({ kind: z.literal('refused'), reason: z.string(), path: z.string().nullable(), notUndone: trouble.exactOptional() }),
]) satisfies z.ZodType<ApplyOutcome>

export const setAside = z
  .array(z.object({ path: z.string(), keptAt: z.string().nullable(), isRestored: z.literal(true).exactOptional() }))
  .readonly() satisfies z.ZodType<readonly SetAside[]>

export const signedFiles = z.array(z.object({ path: z.string(), hash: z.string() })) satisfies z.ZodType<readonly SignedFile[]>

export const confinementOwner = z.object({
  sessionId: z.string().nullable(),
  what: z.string(),
}) satisfies z.ZodType<ConfinementOwner>

export const recovered = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('trouble'), folder: z.string(), trouble }),
    z.object({ kind: z.literal('control-files'), folder: z.string(), owner: confinementOwner.nullable(), moved: setAside }),
  ]),
) satisfies z.ZodType<readonly Recovered[]>

const commit = { hash: z.string(), subject: z.string() }
const stored = z.object({ before: BlobHash.nullable(), after: BlobHash.nullable() })
const gitFiles = z
  .array(z.object({ status: z.string(), path: z.string(), from: z.string().exactOptional(), stored: stored.exactOptional() }))
  .readonly()
const refChange = z.object({
  kind: z.enum(['branch', 'tag', 'remote', 'stash', 'other']),
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  leaves: z.number(),
})

export const gitChange = z.object({
  head: z.object({ before: z.string(), after: z.string() }).nullable(),
  commits: z.array(z.object({ ...commit, author: z.string(), files: gitFiles.nullable() })).readonly(),
  more: z.boolean(),
  lost: z.array(z.object(commit)).readonly(),
  refs: z.array(refChange).readonly(),
  staged: gitFiles,
  unstaged: gitFiles,
  begun: z.enum(GIT_OPERATIONS).nullable(),
}) satisfies z.ZodType<GitChange>
