import { isAbsolute, join } from 'node:path'
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import { applyPatchSpec } from '../../../shared/tools/built-in/apply-patch.ts'
import { askUserQuestionSpec } from '../../../shared/tools/built-in/ask-user-question.ts'
import { bringInSpec } from '../../../shared/tools/built-in/bring-in.ts'
import { editFileSpec, multiEditSpec } from '../../../shared/tools/built-in/edit-file.ts'
import { exitPlanModeSpec } from '../../../shared/tools/built-in/exit-plan-mode.ts'
import { globSpec } from '../../../shared/tools/built-in/glob.ts'
import { grepSpec } from '../../../shared/tools/built-in/grep.ts'
import { listDirSpec } from '../../../shared/tools/built-in/list-dir.ts'
import { notebookEditSpec } from '../../../shared/tools/built-in/notebook.ts'
import { saveMemorySpec } from '../../../shared/tools/built-in/save-memory.ts'
import { spawnAgentSpec, taskSpec } from '../../../shared/tools/built-in/subagents.ts'
import { todoReadSpec, todoWriteSpec } from '../../../shared/tools/built-in/todos.ts'
import { webFetchSpec, webSearchSpec } from '../../../shared/tools/built-in/web.ts'
import { deleteFileSpec, writeFileSpec } from '../../../shared/tools/built-in/write-file.ts'
import type { ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'
import { LOOKING_TOOLS, lineOf, runsCommand } from '../../../shared/tools/catalogue.ts'
import { lineText } from '../../../shared/tools/spec/call-line.ts'
import type { BlobStore } from '../../agent/ports/blob-store.ts'
import { fenceFor } from './prompt-message.ts'

export type Blobs = Pick<BlobStore, 'get' | 'has'>

/** The parts of a call that are known when it starts. */
export interface StartedCall {
  readonly toolName: string
  readonly args: { readonly [key: string]: JsonValue } | null
  readonly effects?: readonly Effect[]
}

/** The title of a call, as everywhere else in Countersign. */
export const titleOf = (call: StartedCall): string => lineText(lineOf(call))

const namesOf = (...specs: readonly ToolSpec[]): ReadonlySet<string> => new Set(specs.map(({ name }) => name))

const SEARCHES = namesOf(grepSpec, globSpec, listDirSpec)
const EDITS = namesOf(bringInSpec, writeFileSpec, editFileSpec, multiEditSpec, applyPatchSpec, notebookEditSpec, saveMemorySpec)
const FETCHES = namesOf(webFetchSpec, webSearchSpec)
const THINKS = namesOf(todoWriteSpec, todoReadSpec, taskSpec, spawnAgentSpec, askUserQuestionSpec)

/** The kind of a call, by which editors choose an icon. */
export function kindOf(call: StartedCall): ToolKind {
  const { toolName } = call
  if (runsCommand(call)) return 'execute'
  if (SEARCHES.has(toolName)) return 'search'
  if (LOOKING_TOOLS.has(toolName)) return 'read'
  if (toolName === deleteFileSpec.name) return 'delete'
  if (EDITS.has(toolName)) return 'edit'
  if (FETCHES.has(toolName)) return 'fetch'
  if (THINKS.has(toolName)) return 'think'
  return toolName === exitPlanModeSpec.name ? 'switch_mode' : 'other'
}

/** Absolute paths of the files that a call would change. If it changes none, the file that its arguments name. */
export function locationsOf({ args, effects = [] }: StartedCall, cwd: string): ToolCallLocation[] {
  const touched = effects.flatMap((effect) => ('path' in effect ? [{ path: effect.path }] : []))
  if (touched.length > 0) return touched
  const path = args?.['file_path'] ?? args?.['path']
  if (typeof path !== 'string' || path === '') return []
  const offset = args?.['offset']
  return [{ path: isAbsolute(path) ? path : join(cwd, path), ...(typeof offset === 'number' && { line: offset }) }]
}

/** The changes that a call would make, with complete texts. Files that are not text are only named. */
export function proposedDiffs(effects: readonly Effect[], blobs: Blobs): ToolCallContent[] {
  return effects.flatMap((effect): ToolCallContent[] => {
    switch (effect.kind) {
      case 'write':
        return [diff(blobs, { path: effect.path, before: effect.before, after: effect.after })]
      case 'delete':
        return [diff(blobs, { path: effect.path, before: effect.before, after: null })]
      case 'permissions':
        return [words(`${effect.shown}: permissions ${octal(effect.before)} → ${octal(effect.after)}`)]
      case 'link':
        return [words(`${effect.shown} → ${effect.after ?? 'removed'}`)]
      case 'folder':
        return [words(`${effect.shown}/ ${effect.change}`)]
      case 'network':
        return [words(effect.url)]
      case 'mode':
        return effect.plan === null ? [] : [words(effect.plan)]
      default:
        return []
    }
  })
}

/** The changes that a call has made, with complete texts. */
export function madeDiffs(files: readonly FileChange[], blobs: Blobs): ToolCallContent[] {
  return files.filter(({ beforeKind, afterKind }) => !beforeKind && !afterKind).map((file) => diff(blobs, file))
}

interface Versions {
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
}

function diff(blobs: Blobs, { path, before, after }: Versions): ToolCallContent {
  const oldText = before === null ? null : textOf(blobs, before)
  const newText = after === null ? '' : textOf(blobs, after)
  if (newText === undefined || oldText === undefined) return words(`${path} changes. It is not a text file.`)
  return { type: 'diff', path, oldText, newText }
}

/** Undefined if the bytes are not UTF-8 or are gone. */
function textOf(blobs: Blobs, hash: BlobHash): string | undefined {
  if (!blobs.has(hash)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(blobs.get(hash))
  } catch {
    return undefined
  }
}

export const words = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } })

/** Output of a program, which must not be rendered as Markdown. */
export function fenced(output: string): ToolCallContent {
  const fence = fenceFor(output)
  return words(`${fence}\n${output.replace(/\n$/u, '')}\n${fence}`)
}

const octal = (mode: number): string => mode.toString(8).padStart(3, '0')
