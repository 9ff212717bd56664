import type { DeleteEffect, Effect, WriteEffect } from './effects.ts'

/** What a step writes and deletes, file by file; of a move the file where it will be. */
export function touchedFiles(effects: readonly Effect[]): readonly (WriteEffect | DeleteEffect)[] {
  const files = effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete')
  const left = new Set(files.map((file) => (file.kind === 'write' ? file.movedFrom?.path : undefined)))
  return files.filter(({ kind, path }) => kind === 'write' || !left.has(path))
}
