import { modelOnly, type Reason, type ReasonText, reason } from '../../agent/reason.ts'
import { type ApplyPatchInput, applyPatchSpec } from '../../../shared/tools/built-in/apply-patch.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { PrepareContext, Prepared, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { commitFiles, type Committed } from '../files/commit-files.ts'
import { defineTool } from '../define/define-tool.ts'
import { createFileSet, type FileSet } from '../files/file-set.ts'
import { rejected } from '../define/tool-path.ts'
import type { PatchOperation } from '../patch/patch-model.ts'
import { parsePatch } from '../patch/parse-patch.ts'
import { createFilePrefetch } from '../patch/prefetch-files.ts'
import { type OperationResult, addFile, deleteFile, updateFile } from '../patch/patch-file-operations.ts'
import { type LineCounter, unwritable, writeDetails } from '../files/file-write.ts'

/** The patch is first applied in memory. It is written completely or not at all. */
export function createApplyPatchTool(parts: { readonly countLines: LineCounter }): Tool {
  return defineTool(applyPatchSpec, (input, context) => prepare(input, context, parts.countLines))
}

async function prepare({ patch }: ApplyPatchInput, context: PrepareContext, countLines: LineCounter): Promise<Prepared> {
  const flaw = unwritable(patch, 'patch')
  if (flaw !== null) return rejected(flaw)
  const operations = parsePatch(patch)
  if (!operations.ok) return rejected(reason`The patch cannot be read: ${operations.failure} Nothing was changed.`)
  const ahead = createFilePrefetch(operations.value, context)
  const files = createFileSet(ahead.context)
  const done: OperationResult[] = []
  for (const [index, operation] of operations.value.entries()) {
    ahead.startFrom(index)
    const result = await carryOut(operation, files)
    if (!result.ok) return rejected(withoutEffect(result.failure))
    done.push(result.value)
  }
  const effects = await files.effects(countLines)
  if (effects.length === 0) return rejected(withoutChange(done))
  return { kind: 'ready', effects, commit: (run) => commit({ effects, seen: files.seen }, done, run) }
}

/**
 * Explains why a patch changes nothing. If a match was not exact, the new lines are written with the file's whitespace, so they can equal
 * the old ones.
 */
function withoutChange(done: readonly OperationResult[]): ReasonText {
  const notes = done.flatMap(({ notes: own }) => own)
  if (notes.length === 0) return 'The patch would change nothing: the files already have this content.'
  const copy = modelOnly('Copy its lines exactly from the file, and write the new lines in the same way.')
  return reason`The patch would change nothing. ${copy}\n${notes.join('\n')}`
}

/** If the failure quotes lines of the file, "Nothing was changed." goes on a separate line. */
function withoutEffect(why: ReasonText): Reason {
  return reason`${why}${String(why).includes('\n') ? '\n' : ' '}Nothing was changed.`
}

function carryOut(operation: PatchOperation, files: FileSet): ReturnType<typeof addFile> {
  switch (operation.kind) {
    case 'add':
      return addFile(operation, files)
    case 'delete':
      return deleteFile(operation, files)
    case 'update':
      return updateFile(operation, files)
    default:
      return assertNever(operation, 'operation')
  }
}

async function commit(files: Committed, done: readonly OperationResult[], run: RunContext): Promise<ToolOutput> {
  const failed = await commitFiles(files, run)
  if (failed) return failed
  const count = done.length === 1 ? '1 operation' : `${done.length} operations`
  const notes = done.flatMap(({ notes: own }) => own)
  const output = [`Applied ${count}: ${done.map(({ words }) => words).join(', ')}.`, ...notes].join('\n')
  return { output, isError: false, details: writeDetails(files.effects) }
}
