import type { ReasonText } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import { join, matchesGlob } from 'node:path'
import { type ListDirDetails, type ListDirInput, listDirSpec } from '../../../shared/tools/built-in/list-dir.ts'
import type { ReadEffect } from '../../../shared/session/effects.ts'
import type { DirEntry } from '../../agent/ports/execution-environment.ts'
import type { PathFacts, RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'
import { doesNotExist } from '../files/near-names.ts'
import { fileFailure, leadsElsewhere, locate, rejected, shownPath } from '../define/tool-path.ts'

/** Maximum number of entries and of characters in a list. They are below the truncation limits and leave a line for the note. */
const MAX_ENTRIES = 1_000
const MAX_OUTPUT_CHARS = 28_000
/** Folders with thousands of generated or third-party files. Their content is listed only if the call names such a folder. */
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

export function createListDirTool(): Tool {
  return defineTool(listDirSpec, async (input, context) => {
    const place = await locate(context, input.path ?? context.env.workingDirectory())
    if (!place.ok) return rejected(place.failure)
    const effects: readonly ReadEffect[] = place.value.outside ? [{ kind: 'read', ...place.value }] : []
    return { kind: 'ready', effects, commit: (run) => list(input, place.value, run) }
  })
}

async function list({ depth = 1, ...asked }: ListDirInput, place: PathFacts, run: RunContext): Promise<ToolOutput> {
  const lines: string[] = []
  let chars = 0
  const take = (line: string): boolean => {
    chars += line.length + 1
    if (lines.length >= MAX_ENTRIES || chars > MAX_OUTPUT_CHARS) return false
    lines.push(line)
    return true
  }
  let isWhole: boolean
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    isWhole = await listLevel({ run, asked, take }, place.path, '', depth)
  } catch (error) {
    run.signal.throwIfAborted()
    return failure(await whyNot(error, place, run))
  }
  const note = isWhole
    ? []
    : [`(There is more: the first ${lines.length} entries are shown. List one of the folders, or use a smaller depth.)`]
  return {
    output: lines.length === 0 ? 'The folder is empty.' : [...lines, ...note].join('\n'),
    isError: false,
    details: { path: place.shown, entries: lines.length, capped: !isWhole } satisfies ListDirDetails,
  }
}

interface Listing {
  readonly run: RunContext
  /** The options of the call that leave out entries. */
  readonly asked: Pick<ListDirInput, 'ignore' | 'respect_git_ignore'>
  take(line: string): boolean
}

/** Resolves to false if the list is full. Below the first level, a folder that cannot be read is listed without its content. */
async function listLevel(listing: Listing, folder: string, prefix: string, depth: number): Promise<boolean> {
  const { run, asked, take } = listing
  run.signal.throwIfAborted()
  for (const entry of await entriesOf(listing, folder, prefix === '')) {
    if (asked.ignore?.some((glob) => isLeftOut(entry.name, prefix, glob)) === true) continue
    if (!take(lineOf(entry, prefix))) return false
    const isEntered = entry.isDir && depth > 1 && !NOT_ENTERED.has(entry.name)
    // A link to a folder is listed as a folder but not followed, because it may lead back up.
    if (!isEntered || (await run.env.lstat(join(folder, entry.name)))?.kind !== 'folder') continue
    if (!(await listLevel(listing, join(folder, entry.name), `${prefix}${entry.name}/`, depth - 1))) return false
  }
  return true
}

/** Whether a glob matches the name, or the path relative to the listed folder. */
function isLeftOut(name: string, prefix: string, glob: string): boolean {
  const plain = glob.replace(/(?<=.)\/(?:\*\*)?$/u, '')
  return matchesGlob(name, plain) || matchesGlob(prefix + name, plain)
}

async function entriesOf({ run, asked }: Listing, folder: string, isNamed: boolean): Promise<readonly DirEntry[]> {
  try {
    return await run.env.listDirectory(folder, 1, { unignored: asked.respect_git_ignore === true })
  } catch (error) {
    if (isNamed || !['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(fileFailure(error).code)) throw error
    return []
  }
}

function lineOf({ name, isDir, size }: DirEntry, prefix: string): string {
  const path = shownPath(prefix + name)
  return isDir ? `${path}/` : `${path} (${size ?? 0} bytes)`
}

async function whyNot(error: unknown, place: PathFacts, run: RunContext): Promise<ReasonText> {
  const { code, message } = fileFailure(error)
  if (code === 'ENOENT') return doesNotExist(run.env, place, 'Use a path relative to the working directory.')
  return code === 'ENOTDIR' ? `${shownPath(place.shown)} is a file, not a folder.` : message
}
