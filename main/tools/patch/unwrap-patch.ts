import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { shownPath } from '../define/tool-path.ts'
import type { PatchLine } from './patch-model.ts'

const BEGIN = /^\s*\*\*\* Begin Patch\s*$/u
const END = /^\s*\*\*\* End Patch\s*$/u
/** Matches a command that does nothing but pass on a patch, perhaps after `cd` to another folder. Other commands are rejected. */
const HEREDOC =
  /^(?:\$ |!)?\s*(?:cd\s+(?:'(?<single>[^']+)'|"(?<double>[^"$`\\]+)"|(?<bare>(?!-)[\p{L}\p{N}_./@%+,:=-]+))\s*&&\s*)?(?:(?:cat|apply_patch|applypatch)\s*)?<<-?\s*(?<quote>['"]?)\w+\k<quote>(?:\s*\|\s*(?:apply_patch|applypatch))?$/u
const FENCE = /^\s*```\w*\s*$/u
const CELL_MAGIC = /^\s*%%(?:bash|sh)\s*$/u
const HEREDOC_END = /^\s*\w+\)?['"]?\s*$/u

const ONE_PATCH = modelOnly('Put all operations between one "*** Begin Patch" and one "*** End Patch".')
const TWO_PATCHES = reason`a second patch begins here. Nothing was changed. ${ONE_PATCH}`

export interface UnwrappedPatch {
  /** The lines between the two markers. */
  readonly lines: readonly PatchLine[]
  /** The folder from which relative paths start, according to the command around the patch; null for the working folder. */
  readonly folder: string | null
}

/** Removes the envelope of a patch and the text that a shell or a page puts around it. The failure is a sentence with the line number. */
export function unwrapPatch(lines: readonly PatchLine[]): Result<UnwrappedPatch, ReasonText> {
  const begin = lines.findIndex((line) => BEGIN.test(line.text))
  if (begin < 0) return failed('The patch has no "*** Begin Patch" line. It must be the first line.')
  let folder: string | null = null
  for (const { text, number } of lines.slice(0, begin)) {
    const groups = HEREDOC.exec(text.trim())?.groups
    folder ??= groups?.['single'] ?? groups?.['double'] ?? groups?.['bare'] ?? null
    if (!groups && text.trim() !== '' && !FENCE.test(text) && !CELL_MAGIC.test(text)) {
      return failed(
        reason`line ${number}: "${quoted(text)}" comes before "*** Begin Patch". ${modelOnly('Send only the patch: nothing else is executed.')}`,
      )
    }
  }
  // The last end marker is used, because a patch of a file about patches may contain an end marker in its lines.
  const end = lines.findLastIndex((line) => END.test(line.text))
  if (end < begin) return failed('The patch has no "*** End Patch" line. It must be the last line.')
  // A line of a file that is changed never begins with stars: it has a sign or a space in front.
  const second = lines.slice(begin + 1, end).find(({ text }) => text.startsWith('***') && BEGIN.test(text))
  if (second) return failed(reason`line ${second.number}: ${TWO_PATCHES}`)
  const more = lines.slice(end + 1).find(({ text }) => text.trim() !== '' && !FENCE.test(text) && !HEREDOC_END.test(text))
  if (more) return failed(`line ${more.number}: nothing may follow "*** End Patch".`)
  return ok({ lines: lines.slice(begin + 1, end), folder })
}

function quoted(text: string): string {
  return shownPath(text.trim().slice(0, 60).toWellFormed())
}
