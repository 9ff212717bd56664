import { Buffer } from 'node:buffer'
import { relative } from 'node:path'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { BlobRef } from '../../../shared/session/events.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { CopyChange, KeptChangeSet } from '../ports/command-copies.ts'

export interface SignedPart {
  readonly changeSet: KeptChangeSet
  /** Paths to apply; undefined: all. */
  readonly only: readonly string[] | undefined
}

/** The part of a change set that was signed, with the content that was signed. `amended` null: all of it. */
export function signedPart(changeSet: KeptChangeSet, amended: Amended | null): SignedPart {
  if (amended === null) return { changeSet, only: undefined }
  const within = (path: string): string => relative(changeSet.folder, path)
  const { effects } = amended
  const only = new Set(effects.flatMap((effect) => ('path' in effect ? [within(effect.path)] : [])))
  const writes = new Map(effects.flatMap((effect) => (effect.kind === 'write' ? [[within(effect.path), effect] as const] : [])))
  const changes = changeSet.changes.map((change): CopyChange => {
    if (change.kind === 'deleted' || change.after.kind !== 'file') return change
    const write = writes.get(change.path)
    if (write) return { ...change, after: { ...change.after, hash: write.after, size: write.afterBytes } }
    // Only its permissions were signed.
    const before = change.kind === 'modified' ? change.before : null
    return before?.kind === 'file' ? { ...change, after: { ...change.after, hash: before.hash, size: before.size } } : change
  })
  return { changeSet: { ...changeSet, changes }, only: [...only] }
}

interface StoredParts {
  readonly blobs: Pick<BlobStore, 'get' | 'put'>
}

/** Stores a value, so that it outlives the app while it waits for an answer. */
export function storedAsJson(value: unknown, { blobs }: StoredParts): BlobRef {
  const bytes = Buffer.from(JSON.stringify(value))
  return { hash: blobs.put(bytes), bytes: bytes.length }
}

export const storedText = ({ hash }: BlobRef, { blobs }: StoredParts): string => Buffer.from(blobs.get(hash)).toString()
