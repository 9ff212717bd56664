import { Buffer } from 'node:buffer'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { TextForm } from '../../../main/tools/text/encoding.ts'
import type { Ending } from '../../../main/tools/text/line-feeds.ts'
import { applyHunks } from '../../../main/tools/patch/apply-hunks.ts'
import { explainPatchMiss } from '../../../main/tools/patch/explain-patch-miss.ts'
import { parseHunks } from '../../../main/tools/patch/parse-hunks.ts'
import { type PatchLine, patchLines } from '../../../main/tools/patch/patch-model.ts'

const END = /^\*\*\* End Patch\s*$/u

/**
 * Applies one section of a patch to text. In mode `default`, the section consists of hunks. In mode `create`, all lines begin with `+`, and
 * the last line has no ending unless an empty `+` follows it. The patch's end marker may follow. Pure. Keeps lone surrogates and the
 * endings of unchanged lines. The failure is a sentence.
 */
export function applyDiff(input: string, diff: string, mode: 'default' | 'create' = 'default'): Result<string, string> {
  if (mode === 'create') return created(diff)
  const hunks = parseHunks(section(diff))
  if (!hunks.ok) return hunks
  // UTF-16 can encode every string, even one with lone surrogates.
  const bytes = Buffer.from(input, 'utf16le')
  const form: TextForm = { encoding: 'utf-16le', bom: input.startsWith('\ufeff') ? 2 : 0 }
  const patched = applyHunks(bytes, form, hunks.value, endingOfDiff(diff))
  if (!patched.ok) return failed(String(explainPatchMiss(patched.failure, { shown: 'the input', hunks: hunks.value, text: input })))
  return ok(Buffer.from(patched.value.bytes).toString('utf16le'))
}

/** The diff's own line ending, for new lines in a file without line endings. */
function endingOfDiff(diff: string): Ending {
  const first = diff.indexOf('\n')
  return first > 0 && diff[first - 1] === '\r' ? '\r\n' : '\n'
}

function section(diff: string): readonly PatchLine[] {
  const lines = patchLines(diff)
  const last = lines.findLastIndex((line) => line.text.trim() !== '')
  return END.test(lines[last]?.text ?? '') ? lines.slice(0, last) : lines
}

function created(diff: string): Result<string, string> {
  const body = section(diff)
  const lines = body.slice(0, body.findLastIndex((line) => line.text.trim() !== '') + 1)
  const stray = lines.find((line) => !line.text.startsWith('+'))
  if (stray) return failed(`line ${stray.number}: every line of a new file begins with +.`)
  return ok(lines.map((line) => line.text.slice(1)).join(endingOfDiff(diff)))
}
