import { isGitRecord } from './git-change.ts'
import type { DeleteEffect, Effect, MovedFrom, WriteEffect } from './effects.ts'
import type { BlobHash } from '../lib/ids.ts'

/**
 * The files that a step writes and deletes. A moved file is listed only at its new path. Git's own files that a command changes are left
 * out.
 */
export function touchedFiles(effects: readonly Effect[]): readonly (WriteEffect | DeleteEffect)[] {
  const isCommand = effects.some(({ kind }) => kind === 'command')
  const all = effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete')
  const files = all.filter(({ shown }) => !(isCommand && isGitRecord(shown)))
  const left = new Set(files.map((file) => (file.kind === 'write' ? file.movedFrom?.path : undefined)))
  return files.filter(({ kind, path }) => kind === 'write' || !left.has(path))
}

/** The number of files and links that a step writes and deletes. A file that takes the place of a link counts once. */
export function countTouched(effects: readonly Effect[]): number {
  const links = effects.flatMap((effect) => (effect.kind === 'link' && !isGitRecord(effect.shown) ? [effect.path] : []))
  return new Set([...touchedFiles(effects).map(({ path }) => path), ...links]).size
}

interface Pair {
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly movedFrom?: MovedFrom | undefined
}

/** Joins each deletion and creation that together are a move. The result is the new file, compared with the old file. */
export function withMoves<F extends Pair>(files: readonly F[]): readonly F[] {
  const gone = new Map(files.flatMap((file) => (file.after === null ? [[file.path, file.before]] : [])))
  const moved = files.map((file) => {
    const before = file.movedFrom && file.before === null ? gone.get(file.movedFrom.path) : undefined
    if (before !== undefined && before !== null) return { ...file, before }
    const { movedFrom: _, ...plain } = file
    return plain as F
  })
  const left = new Set(moved.map(({ movedFrom }) => movedFrom?.path))
  return moved.filter(({ path, after }) => after !== null || !left.has(path))
}
