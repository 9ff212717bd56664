import type { ShownPicture } from '../../../shared/api/changes/changes.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { BlobHash, SessionId } from '../../../shared/lib/ids.ts'
import type { FileChange } from '../../../shared/session/file-change.ts'
import { withoutGitRecords } from '../../../shared/session/git-change.ts'
import { undoneWords } from '../../../shared/session/rollback.ts'
import type { CallItem, Item } from '../../../shared/session/state.ts'
import { StorageError } from '../../agent/storage-error.ts'
import { unifiedDiff } from '../../changes/unified-diff.ts'
import { resultPicture, shownPicture } from '../../sessions/attached-pictures.ts'
import { type ExportParts, familyOf, readSession } from './read-session.ts'

/** A readable export as blocks. Markdown and HTML print the blocks in their own way. */
export type Block =
  | { readonly kind: 'session'; readonly title: string; readonly facts: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'you' | 'agent' | 'thinking' | 'notice'; readonly at: number; readonly text: string }
  | { readonly kind: 'step'; readonly at: number; readonly step: number; readonly title: string; readonly status: string }
  /** `picture` is null if its bytes cannot be shown or are no longer stored. */
  | { readonly kind: 'picture'; readonly picture: ShownPicture | null }
  | { readonly kind: 'code'; readonly label: string; readonly language: 'diff' | 'text'; readonly text: string }

/** Maximum number of characters of one output or diff. The JSON export contains all of it. */
const MAX_CODE_CHARS = 40_000

/** Yields the session in the form in which a user reads it, and then each of its subagents in the same form. Known keys are hidden. */
export async function* outline(parts: ExportParts, root: SessionId): AsyncGenerator<Block> {
  for (const sessionId of familyOf(parts, root)) {
    const { state } = await readSession(parts, sessionId)
    const { config, cwd, startedAt, updatedAt, steps, costUsd, parent } = state
    yield {
      kind: 'session',
      title: `${parent ? `Subagent (${parent.agentType}): ` : ''}${state.title || 'Session'}`,
      facts: [
        ['Session', sessionId],
        ['Folder', cwd],
        ['Model', `${config.provider} ${config.model}`],
        ['From', new Date(startedAt).toISOString()],
        ['To', new Date(updatedAt).toISOString()],
        ['Steps', String(steps)],
        ...(costUsd === null ? [] : [['Cost', `$${costUsd.toFixed(2)}`] as const]),
      ],
    }
    for (const item of state.items) yield* itemBlocks(item, parts, sessionId)
  }
}

function* itemBlocks(item: Item, parts: ExportParts, sessionId: SessionId): Generator<Block> {
  const { at } = item
  switch (item.kind) {
    case 'user':
      yield { kind: 'you', at, text: item.command ?? item.text }
      for (const { hash } of item.pictures ?? []) yield { kind: 'picture', picture: givenPicture(hash, parts) }
      return
    case 'prose':
      if (item.thinking) yield { kind: 'thinking', at, text: item.thinking }
      if (item.text) yield { kind: 'agent', at, text: item.complete ? item.text : `${item.text}\n[cut off]` }
      return
    case 'call':
      yield* callBlocks(item, parts, sessionId)
      return
    case 'notice':
      yield { kind: 'notice', at, text: `${item.trouble.what} ${item.trouble.kept} ${item.trouble.todo}` }
      return
    case 'rollback':
      yield { kind: 'notice', at, text: `${undoneWords(item.target)}: ${namesOf(item.files) || 'no files'}.` }
      return
    case 'move':
      yield { kind: 'notice', at, text: 'You moved the conversation to another point.' }
      return
    default:
      assertNever(item, 'item')
  }
}

function* callBlocks(item: CallItem, parts: ExportParts, sessionId: SessionId): Generator<Block> {
  const { at, step, toolName, args, status, output, files, approval } = item
  const { command, ...others } = args ?? {}
  const subject = others['file_path'] ?? others['path'] ?? others['pattern'] ?? ''
  yield { kind: 'step', at, step, title: `${toolName} ${typeof subject === 'string' ? subject : ''}`.trim(), status: statusWords(item) }
  if (typeof command === 'string') yield code('Command', command)
  else if (args && files.length === 0) yield code('Arguments', JSON.stringify(args, null, 2))
  if (approval?.answer?.kind === 'refused' && approval.answer.note) yield { kind: 'notice', at, text: `You: ${approval.answer.note}` }
  for (const file of files) yield changeBlock(file, parts)
  for (const index of (item.pictures ?? []).keys())
    yield { kind: 'picture', picture: resultPicture(parts.store.log(sessionId), item.toolCallId, index) }
  if (output && (files.length === 0 || status !== 'done')) yield code('Output', output)
}

/** The picture of a message. Null if its bytes are no longer stored. */
function givenPicture(hash: BlobHash, { store }: ExportParts): ShownPicture | null {
  try {
    return shownPicture(store.blobs.get(hash))
  } catch (error) {
    if (error instanceof StorageError) return null
    throw error
  }
}

function statusWords({ status, signedBy, durationMs }: CallItem): string {
  const by =
    signedBy &&
    { person: 'signed by you', mode: 'allowed by the mode', rule: 'allowed by a rule', hook: 'allowed by a hook', layer: 'in the layer' }[
      signedBy.kind
    ]
  return [status, by, durationMs === null ? null : `${(durationMs / 1000).toFixed(1)} s`].filter(Boolean).join(', ')
}

function changeBlock({ shown, before, after }: FileChange, { store, redactor }: ExportParts): Block {
  const bytes = (hash: BlobHash | null): Uint8Array | null => hash && store.blobs.get(hash)
  try {
    const diff = unifiedDiff(bytes(before), bytes(after))
    const text = diff.kind === 'text' ? redactor.text(diff.lines.join('\n')) : '[not shown as text]'
    return { ...code(shown, text), language: 'diff' }
  } catch {
    return code(shown, '[the bytes are no longer stored]')
  }
}

function code(label: string, text: string): Extract<Block, { kind: 'code' }> {
  const rest = text.length - MAX_CODE_CHARS
  return { kind: 'code', label, language: 'text', text: rest > 0 ? `${text.slice(0, MAX_CODE_CHARS)}\n[${rest} more characters]` : text }
}

/** Git's own files are one change of the repository. */
function namesOf(files: readonly { readonly shown: string }[]): string {
  const { others, hasRecords } = withoutGitRecords(files)
  return [...others.map(({ shown }) => shown), ...(hasRecords ? ['the repository'] : [])].join(', ')
}
