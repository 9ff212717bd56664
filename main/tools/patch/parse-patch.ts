import { changed, modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { isAbsolute, join } from 'node:path'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { shownPath } from '../define/tool-path.ts'
import { parseHunks } from './parse-hunks.ts'
import { type PatchLine, type PatchOperation, patchLines } from './patch-model.ts'
import { unwrapPatch } from './unwrap-patch.ts'

const HEADER = /^\s*\*\*\* (?<verb>Add|Delete|Update) File:(?<path>.*)$/u
/** Matches an incomplete header: its colon, and perhaps the file's name, is missing. */
const NEARLY_HEADER = /^\s*\*+\s*(?<verb>Add|Delete|Update)\b(?!.*File:\s*\S)/iu
const INDENTED = /^\s/u
const MOVE = /^\s*\*\*\* Move to:(?<path>.*)$/u
const END_OF_FILE = /^\*\*\* End of File\s*$/u

/**
 * Parses a v4a patch and checks only its form. Text around the envelope (a heredoc, the command's name, a code fence) is ignored. If a
 * command around it first changes the folder, relative paths start in that folder. The failure is a sentence with the line number.
 */
export function parsePatch(text: string): Result<readonly PatchOperation[], ReasonText> {
  const patch = unwrapPatch(patchLines(text))
  if (!patch.ok) return patch
  const { lines, folder } = patch.value
  const found = operations(lines)
  return folder === null || !found.ok ? found : ok(found.value.map((operation) => inFolder(operation, folder)))
}

function inFolder(operation: PatchOperation, folder: string): PatchOperation {
  const path = placed(operation.path, folder)
  if (operation.kind !== 'update' || operation.moveTo === null) return { ...operation, path }
  return { ...operation, path, moveTo: placed(operation.moveTo, folder) }
}

function placed(path: string, folder: string): string {
  return isAbsolute(path) ? path : join(folder, path)
}

function operations(lines: readonly PatchLine[]): Result<readonly PatchOperation[], ReasonText> {
  const starts = sectionStarts(lines)
  const stray = lines.slice(0, starts[0] ?? lines.length).find((line) => line.text.trim() !== '')
  if (stray) return failed(noHeader(stray))
  if (starts.length === 0) return failed('The patch contains no operation.')
  const found: PatchOperation[] = []
  for (const [index, start] of starts.entries()) {
    const operation = operationOf(lines.slice(start, starts[index + 1] ?? lines.length))
    if (!operation.ok) return operation
    found.push(operation.value)
  }
  return ok(found)
}

function noHeader({ text, number }: PatchLine): ReasonText {
  const verb = NEARLY_HEADER.exec(text)
    ?.groups?.['verb']?.toLowerCase()
    .replace(/^./u, (first) => first.toUpperCase())
  if (verb !== undefined)
    return reason`line ${number}: ${quoted(text)} has no file name. ${modelOnly(`Write "*** ${verb} File: " followed by the path.`)}`
  return `line ${number}: expected "*** Add File: …", "*** Update File: …" or "*** Delete File: …".`
}

function quoted(text: string): string {
  return `"${shownPath(text.slice(0, 60).trimEnd().toWellFormed())}"`
}

/** Whitespace before a header is ignored, except inside the lines of an update, where it marks context. */
function sectionStarts(lines: readonly PatchLine[]): readonly number[] {
  let verb: string | undefined
  return lines.flatMap(({ text }, index) => {
    const found = HEADER.exec(text)?.groups?.['verb']
    if (found === undefined || (verb === 'Update' && INDENTED.test(text))) return []
    verb = found
    return [index]
  })
}

function operationOf([header, ...body]: readonly PatchLine[]): Result<PatchOperation, ReasonText> {
  const line = header?.number ?? 0
  const groups = HEADER.exec(header?.text ?? '')?.groups
  const verb = groups?.['verb']
  const path = groups?.['path']?.trim() ?? ''
  if (path === '') return failed(`line ${line}: the file has no name.`)
  const operation = bodyOf(verb, path, body, line)
  // If a patch changes several files, a line number alone does not say which file is meant.
  return operation.ok
    ? operation
    : failed(changed(operation.failure, (text) => text.replace(/^line \d+(?=:)/u, (at) => `${at} (${shownPath(path)})`)))
}

function bodyOf(verb: string | undefined, path: string, body: readonly PatchLine[], line: number): Result<PatchOperation, ReasonText> {
  switch (verb) {
    case 'Add':
      return addition(path, body, line)
    case 'Delete': {
      const stray = body.find((each) => each.text.trim() !== '')
      return stray ? failed(`line ${stray.number}: nothing may follow "*** Delete File".`) : ok({ kind: 'delete', path, line })
    }
    default:
      return update(path, body, line)
  }
}

function addition(path: string, body: readonly PatchLine[], line: number): Result<PatchOperation, ReasonText> {
  const lines = withoutGap(body).filter((each) => !END_OF_FILE.test(each.text))
  const stray = lines.find((each) => !each.text.startsWith('+'))
  if (stray) return failed(`line ${stray.number}: every line of an added file begins with +.`)
  return ok({ kind: 'add', path, content: lines.map((each) => `${each.text.slice(1)}\n`).join(''), line })
}

function update(path: string, body: readonly PatchLine[], line: number): Result<PatchOperation, ReasonText> {
  const first = body.findIndex((each) => each.text.trim() !== '')
  const move = MOVE.exec(body[first]?.text ?? '')?.groups?.['path']?.trim()
  if (move === '') return failed(`line ${body[first]?.number ?? line}: "*** Move to:" needs a path.`)
  const rest = withoutGap(move === undefined ? body : body.slice(first + 1))
  const unknown = rest.find((each) => each.text.startsWith('***') && !END_OF_FILE.test(each.text))
  if (unknown)
    return failed(
      NEARLY_HEADER.test(unknown.text) ? noHeader(unknown) : `line ${unknown.number}: ${quoted(unknown.text)} is not known here.`,
    )
  const hunks = parseHunks(rest)
  if (!hunks.ok) return hunks
  if (hunks.value.length === 0 && move === undefined) return failed(`line ${line}: the update has no hunk.`)
  return ok({ kind: 'update', path, moveTo: move ?? null, hunks: hunks.value, line })
}

/**
 * Removes gaps: empty lines at the start, and at the end after a `+` line or `*** End of File`. Other empty lines at the end of a hunk are
 * handled when the hunk is placed.
 */
function withoutGap(lines: readonly PatchLine[]): readonly PatchLine[] {
  const first = lines.findIndex((line) => line.text.trim() !== '')
  const last = lines.findLastIndex((line) => line.text.trim() !== '')
  if (first < 0) return []
  const endsSection = lines[last]?.text.startsWith('+') === true || END_OF_FILE.test(lines[last]?.text ?? '')
  return lines.slice(first, endsSection ? last + 1 : lines.length)
}
