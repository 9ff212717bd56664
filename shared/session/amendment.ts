import { z } from 'zod'
import { ConflictChoice } from '../lib/lines/line-conflict.ts'
import type { BlobHash } from '../lib/ids.ts'
import type { Effect } from './effects.ts'

/** A line range, counted from 0, end excluded. Lines keep their line feeds, and the text has no byte order mark. */
const range = z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly()

/** The user's decision about one hunk, in which the lines `before` of the old text become the lines `after` of the proposed text. */
const hunk = z.object({
  before: range,
  after: range,
  /** With `edit`, `text` replaces the proposed lines. `later`: the user does not decide yet (see `canDecideLater`). */
  decision: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('accept') }),
    z.object({ kind: z.literal('reject') }),
    z.object({ kind: z.literal('later') }),
    z.object({ kind: z.literal('edit'), text: z.string().max(10_000_000) }),
  ]),
})

/** The user's change to one path of a request before signing it. Paths without an amendment are signed as proposed. `path` is absolute. */
export const Amendment = z.discriminatedUnion('kind', [
  /** The proposed change to this path is not made. `later`: the user does not decide yet (see `canDecideLater`). */
  z.object({ kind: z.literal('leave'), path: z.string().max(32_768), later: z.literal(true).optional() }),
  /** The decisions about all hunks of the file, in order. */
  z.object({ kind: z.literal('hunks'), path: z.string().max(32_768), hunks: z.array(hunk).max(20_000).readonly() }),
  /** The choice for each conflict of the file, in order: one side, or other lines. */
  z.object({ kind: z.literal('conflicts'), path: z.string().max(32_768), choices: z.array(ConflictChoice).max(10_000).readonly() }),
])
export type Amendment = z.infer<typeof Amendment>

/** The changed request that was signed in place of the proposed one. */
export interface Amended {
  /** Exactly what is executed. */
  readonly effects: readonly Effect[]
  /** SHA-256 of these effects. The signature is bound to it. */
  readonly hash: string
  readonly files: readonly AmendedFile[]
}

/** `left` means that nothing of the file was signed, so that it was not changed. */
export interface AmendedFile {
  readonly path: string
  readonly shown: string
  readonly left: boolean
  /** Number of hunks that were proposed. 0 for a file that was left out completely. */
  readonly hunks: number
  readonly rejected: number
  readonly edited: number
  /** Set if the user decides about some or all of the change later. */
  readonly later?: LaterPart
}

/**
 * What the user decides later. `hunks`: their number. 0 for a file without hunks. `before`: the file with what was signed. Null if it does not
 * exist then. `after`: the same file with the undecided hunks too. Null if the complete change is undecided.
 */
interface LaterPart {
  readonly hunks: number
  readonly before: BlobHash | null
  readonly after: BlobHash | null
}

/**
 * Whether the user can decide about a part of a request later. This is possible for the work of a third-party agent: what is undecided stays
 * in its layer, and the next request shows it again.
 */
export const canDecideLater = (effects: readonly Effect[]): boolean =>
  effects.some((effect) => effect.kind === 'command' && effect.broughtFrom?.agent !== undefined)

/**
 * Whether a part of a request can be signed. This is possible if the request only changes files, or if it is about the changes that a
 * command made in its copy.
 */
export function canAmend(effects: readonly Effect[]): boolean {
  return (
    effects.some(({ kind }) => kind === 'write' || kind === 'delete' || kind === 'link') &&
    effects.every((effect) => {
      switch (effect.kind) {
        case 'write':
        case 'delete':
          return true
        case 'permissions':
        case 'link':
        case 'folder':
          return effects[0]?.kind === 'command'
        case 'command':
          return effect.sandbox === 'copy'
        default:
          return false
      }
    })
  )
}
