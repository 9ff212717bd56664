import { z } from 'zod'
import { ConflictChoice } from '../lib/line-conflict.ts'
import type { Effect } from './effects.ts'

/** Line ranges count from 0; the end is excluded. Lines keep their line feeds, and the text has no byte order mark. */
const range = z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly()

/** What a person decided about one hunk: `before` lines of the old text become `after` lines of the proposed one. */
const hunk = z.object({
  before: range,
  after: range,
  /** `edit`: `text` replaces the proposed lines. */
  decision: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('accept') }),
    z.object({ kind: z.literal('reject') }),
    z.object({ kind: z.literal('edit'), text: z.string().max(10_000_000) }),
  ]),
})

/** What a person changes in a request before signing it, by the absolute path of the file. Paths that are not listed stay as proposed. */
export const Amendment = z.discriminatedUnion('kind', [
  /** Nothing happens to this path. */
  z.object({ kind: z.literal('leave'), path: z.string().max(32_768) }),
  /** All hunks of the file, in order. */
  z.object({ kind: z.literal('hunks'), path: z.string().max(32_768), hunks: z.array(hunk).max(20_000).readonly() }),
  /** One side, or other lines, for each conflict of the file, in order. */
  z.object({ kind: z.literal('conflicts'), path: z.string().max(32_768), choices: z.array(ConflictChoice).max(10_000).readonly() }),
])
export type Amendment = z.infer<typeof Amendment>

/** What was signed in place of what was proposed. */
export interface Amended {
  /** Exactly what is executed. */
  readonly effects: readonly Effect[]
  /** SHA-256 of these effects, to which the signature is bound. */
  readonly hash: string
  readonly files: readonly AmendedFile[]
}

/** `left`: the file stays as it was. */
export interface AmendedFile {
  readonly path: string
  readonly shown: string
  readonly left: boolean
  /** Hunks that were proposed; 0 for a file that was left as a whole. */
  readonly hunks: number
  readonly rejected: number
  readonly edited: number
}

/** Whether a part of a request can be signed: it only changes files, or a command has changed them in its copy. */
export function canAmend(effects: readonly Effect[]): boolean {
  return (
    effects.some(({ kind }) => kind === 'write' || kind === 'delete') &&
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
