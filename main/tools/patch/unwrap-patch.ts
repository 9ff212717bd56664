import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { shownPath } from '../define/tool-path.ts'
import type { PatchLine } from './patch-model.ts'

const BEGIN = /^\s*\*\*\* Begin Patch\s*$/u
const END = /^\s*\*\*\* End Patch\s*$/u
/** A command that only passes on a patch, perhaps in another folder. Anything else that a command could do is not supported. */
const HEREDOC =
  /^(?:\$ |!)?\s*(?:cd\s+(?:'(?<single>[^']+)'|"(?<double>[^"$`\\]+)"|(?<bare>(?!-)[\p{L}\p{N}_./@%+,:=-]+))\s*&&\s*)?(?:(?:cat|apply_patch|applypatch)\s*)?<<-?\s*(?<quote>['"]?)\w+\k<quote>(?:\s*\|\s*(?:apply_patch|applypatch))?$/u
const FENCE = /^\s*```\w*\s*$/u
const CELL_MAGIC = /^\s*%%(?:bash|sh)\s*$/u
const HEREDOC_END = /^\s*\w+\)?['"]?\s*$/u

export interface UnwrappedPatch {
  /** Between the two markers. */
  readonly lines: readonly PatchLine[]
  /** The folder that relative paths are relative to, as the command around the patch says; null: from the working folder. */
  readonly folder: string | null
}

/** A patch without its envelope and what a shell or a page puts around it. A failure is a sentence that names the line. */
export function unwrapPatch(lines: readonly PatchLine[]): Result<UnwrappedPatch, string> {
  const begin = lines.findIndex((line) => BEGIN.test(line.text))
  if (begin < 0) return failed('The patch has no "*** Begin Patch" line. It must stand first.')
  let folder: string | null = null
  for (const { text, number } of lines.slice(0, begin)) {
    const groups = HEREDOC.exec(text.trim())?.groups
    folder ??= groups?.['single'] ?? groups?.['double'] ?? groups?.['bare'] ?? null
    if (!groups && text.trim() !== '' && !FENCE.test(text) && !CELL_MAGIC.test(text)) {
      return failed(`line ${number}: "${quoted(text)}" comes before "*** Begin Patch". Send only the patch: nothing else is executed.`)
    }
  }
  // The last one: a patch of a text about patches may have it among its lines.
  const end = lines.findLastIndex((line) => END.test(line.text))
  if (end < begin) return failed('The patch has no "*** End Patch" line. It must stand last.')
  const more = lines.slice(end + 1).find(({ text }) => text.trim() !== '' && !FENCE.test(text) && !HEREDOC_END.test(text))
  if (more) return failed(`line ${more.number}: nothing may follow "*** End Patch".`)
  return ok({ lines: lines.slice(begin + 1, end), folder })
}

function quoted(text: string): string {
  return shownPath(text.trim().slice(0, 60).toWellFormed())
}
