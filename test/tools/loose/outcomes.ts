import { finished } from '../../../shared/lib/passes.ts'
import { applyDiff } from '../../driver/program/apply-diff.ts'
import { looseEdit } from '../../../main/tools/patch/loose-edit.ts'
import { editBytes } from '../../../main/tools/text/edit-bytes.ts'
import { PLAIN_UTF8, decodeText } from '../../../main/tools/text/encoding.ts'
import { type LooseCase, looseCase } from './cases.ts'

export interface Outcomes {
  /** The number of edits that had the expected result. */
  made: number
  refused: number
  /** The cases with a wrong result. */
  readonly wrong: string[]
}

/** Tries the loose edits or loose patches that consecutive seeds give, until there are `count` cases. */
export function outcomesOf(how: 'edit' | 'patch', count: number, firstSeed: number): Outcomes {
  const outcomes: Outcomes = { made: 0, refused: 0, wrong: [] }
  for (let seed = firstSeed; outcomes.made + outcomes.refused + outcomes.wrong.length < count; seed++) {
    const one = looseCase(seed)
    if (one === null) continue
    const result = how === 'edit' ? edited(one) : patched(one)
    if (result === null) outcomes.refused++
    else if (result === one.expected) outcomes.made++
    else
      outcomes.wrong.push(
        `${one.name}\n--- file\n${one.file}\n--- sent\n${how === 'edit' ? `${one.old}\n---\n${one.fresh}` : one.hunk}\n--- came\n${result}\n--- expected\n${one.expected}`,
      )
  }
  return outcomes
}

/** Returns the text after an edit as edit_file makes it. Null if the edit is refused. */
function edited({ file, old, fresh }: LooseCase): string | null {
  const bytes = Buffer.from(file)
  const exact = finished(editBytes(bytes, PLAIN_UTF8, { old, new: fresh, all: false }))
  if (exact.ok) return decodeText(exact.value.bytes, 'utf-8')
  if (exact.failure.kind !== 'absent') return null
  const loose = looseEdit(bytes, PLAIN_UTF8, old, fresh)
  return loose?.ok ? decodeText(loose.value.bytes, 'utf-8') : null
}

function patched({ file, hunk }: LooseCase): string | null {
  const result = applyDiff(file, hunk)
  return result.ok ? result.value : null
}
