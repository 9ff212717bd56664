import { type DeleteFileInput, deleteFileSpec } from '../../shared/tools/delete-file.ts'
import type { PrepareContext, Prepared, Tool } from '../agent/ports/tool.ts'
import { commitFiles } from './files/commit-files.ts'
import { writeDetails } from './files/file-write.ts'
import { defineTool } from './define/define-tool.ts'
import { createFileSet } from './files/file-set.ts'
import { rejected, shownPath } from './define/tool-path.ts'
import { deleteFile } from './patch/patch-file-operations.ts'

/** Needs a signature in every mode but `full`. The bytes are kept, so that the deletion can be undone. */
export function createDeleteFileTool(): Tool {
  return defineTool(deleteFileSpec, prepare)
}

async function prepare({ file_path: path }: DeleteFileInput, context: PrepareContext): Promise<Prepared> {
  const files = createFileSet(context)
  const deleted = await deleteFile({ kind: 'delete', path, line: 0 }, files)
  if (!deleted.ok) return rejected(deleted.failure)
  const effects = await files.effects(() => null)
  const [effect] = effects
  return {
    kind: 'ready',
    effects,
    commit: async (run) =>
      (await commitFiles({ effects, seen: files.seen }, run)) ?? {
        output: `Deleted ${shownPath(effect?.shown ?? path)}.`,
        isError: false,
        details: writeDetails(effects),
      },
  }
}
