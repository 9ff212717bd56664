import type { ComparedFile, FolderComparison, FoundChanges } from '../../agent/ports/folder-comparison.ts'
import { ProtocolError } from '../wire/frames.ts'
import type { ValueOf } from '../wire/methods.ts'
import type { Calls } from './calls.ts'
import { collectBytes } from './collect-bytes.ts'

/** Maximum number of bytes of all changed files. The far side compares 64 MB before and after a command. */
const MAX_BYTES = 160 * 1024 ** 2

/** The comparison of the far side's folder. */
export function remoteComparison({ call, first }: Pick<Calls, 'call' | 'first'>): FolderComparison {
  return {
    prepare() {
      call('prepareComparison', {}).catch(() => {})
    },
    begin() {
      let run = 0
      const beginning = first('beginComparison', {}, { onId: (id) => (run = id) }).then(
        () => null,
        (error: unknown) => notCompared(error),
      )
      // Nothing waits for the answer here: whatever may change something waits for it there.
      return Promise.resolve({
        async end() {
          const begun = await beginning
          if (begun) return begun
          const { take, all } = collectBytes(MAX_BYTES)
          return call('endComparison', { run }, { onPiece: take })
            .then((found) => withBytes(found, all()))
            .catch(notCompared)
        },
        drop() {
          void beginning.then((begun) => begun ?? call('dropComparison', { run })).catch(() => {})
        },
      })
    },
    dispose() {},
  }
}

export function notCompared(error: unknown): FoundChanges {
  const why = error instanceof Error ? error.message : String(error)
  return { changes: [], folders: [], files: 0, leftOut: [`The folder was not compared: ${why}`] }
}

function withBytes({ changes, ...found }: ValueOf<'endComparison'>, bytes: Uint8Array): FoundChanges {
  let at = 0
  const filled = (file: { readonly bytes: number; readonly mode: number | null } | null): ComparedFile => {
    if (file === null) return null
    const own = bytes.subarray(at, (at += file.bytes))
    if (own.length !== file.bytes) throw new ProtocolError('The bytes of changed files were not complete.')
    return { bytes: own, mode: file.mode }
  }
  return { ...found, changes: changes.map(({ path, before, after }) => ({ path, before: filled(before), after: filled(after) })) }
}
