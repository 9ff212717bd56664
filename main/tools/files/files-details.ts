import type { WriteDetails } from '../../../shared/tools/write-file.ts'
import type { FileEffect } from './file-set.ts'

/** What a call that wrote or deleted files stores for the screen. */
export function writeDetails(effects: readonly FileEffect[]) {
  return {
    files: effects.map((effect) => {
      const { path, shown } = effect
      if (effect.kind === 'delete') return { path, shown, created: false, deleted: true, added: 0, removed: 0 }
      return { path, shown, created: effect.before === null, added: effect.lines?.added ?? 0, removed: effect.lines?.removed ?? 0 }
    }),
  } satisfies WriteDetails
}
