import { Buffer } from 'node:buffer'
import { relative } from 'node:path'
import type { Amended } from '../../../shared/session/amendment.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { BlobRef, CopyOutcome } from '../../../shared/session/events.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { ShellDetails } from '../../../shared/tools/built-in/shell.ts'
import { type Refused, refusedAfterCopy } from '../dispatch/signatures.ts'
import type { Copies, DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { Commit, SignedInPart } from '../dispatch/prepare.ts'
import type { ApplyOutcome, BashState, CopyChange, KeptChangeSet } from '../ports/command-copies.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { failure, withWords } from '../tool-output.ts'

export type CopyParts = DispatchParts & { readonly copies: Copies }

export interface SignedPart {
  readonly changeSet: KeptChangeSet
  /** Paths to apply. Undefined if all are applied. */
  readonly only: readonly string[] | undefined
}

/**
 * The part of a change set that was signed, with the content that was signed. If `amended` is null, the complete change set was signed.
 */
export function signedPart(changeSet: KeptChangeSet, amended: Amended | null): SignedPart {
  if (amended === null) return { changeSet, only: undefined }
  const within = (path: string): string => relative(changeSet.folder, path)
  const { effects } = amended
  const only = new Set(effects.flatMap((effect) => ('path' in effect ? [within(effect.path)] : [])))
  const writes = new Map(effects.flatMap((effect) => (effect.kind === 'write' ? [[within(effect.path), effect] as const] : [])))
  const changes = changeSet.changes.map((change): CopyChange => {
    if (change.kind === 'deleted' || change.after.kind !== 'file') return change
    const write = writes.get(change.path)
    if (write) return { ...change, after: { ...change.after, hash: write.after, size: write.afterBytes } }
    // If no write of this file was signed, only its permissions were signed, so its content does not change.
    const before = change.kind === 'modified' ? change.before : null
    return before?.kind === 'file' ? { ...change, after: { ...change.after, hash: before.hash, size: before.size } } : change
  })
  return { changeSet: { ...changeSet, changes }, only: [...only] }
}

interface StoredParts {
  readonly blobs: Pick<BlobStore, 'get' | 'put'>
}

/** Stores a value, so that it survives a restart of the app while it waits for an answer. */
export function storedAsJson(value: unknown, { blobs }: StoredParts): BlobRef {
  const bytes = Buffer.from(JSON.stringify(value))
  return { hash: blobs.put(bytes), bytes: bytes.length }
}

/** The result of a command that was stored with `storedAsJson`. */
export const storedOutput = (ref: BlobRef, parts: StoredParts): ToolOutput => JSON.parse(storedText(ref, parts)) as ToolOutput

export const storedText = ({ hash }: BlobRef, { blobs }: StoredParts): string => Buffer.from(blobs.get(hash)).toString()

/** A command that has run in a copy, and the state that the session's bash will have once the command's changes are applied. */
interface RanInCopy {
  readonly outcome: CopyOutcome
  /** Null if there is no bash state, or if the app was restarted while the changes waited for an answer. */
  readonly bashAfter: BashState | null
}

/** The step that applies the changes a command made in its copy. If `amended` is null, the user signed all changes. */
export function copyCommit({ outcome, bashAfter }: RanInCopy, parts: CopyParts, amended: SignedInPart | null = null): Commit {
  return async (run) => {
    const { result, changeSet, effects } = outcome
    if (!result || !changeSet) throw new Error('This command has nothing to apply.')
    const { commands } = parts.copies
    const signed = signedPart(await commands.parseKept(storedText(changeSet, parts)), amended)
    const applied = await commands.apply(signed.changeSet, (hash) => run.bytes(hash), signed.only)
    const output = storedOutput(result, parts)
    if (applied.kind !== 'applied') return notApplied(output, applied)
    // A command that failed may have changed files too, so the model gets these words whatever the exit code was.
    const told = amended === null ? output : withWords(output, amended.words)
    const words = isInBash(effects) ? await bashWords(bashAfter, parts) : []
    return words.length === 0 ? told : withWords(told, words.join(' '))
  }
}

/** The result of a call whose changes could not be applied. */
export function notApplied(result: ToolOutput, { reason, notUndone }: Extract<ApplyOutcome, { kind: 'refused' }>): ToolOutput {
  const words = notUndone
    ? `${reason} ${notUndone.what} ${notUndone.kept}`
    : `${reason} Run the command again if its changes are still needed.`
  return lost(result, words)
}

/** The result of a command whose changes are lost, with the reason for the model and the user. */
export function lost(result: ToolOutput, words: string): ToolOutput {
  const details = ShellDetails.safeParse(result.details)
  return { ...withWords(result, words), isError: true, ...(details.success && { details: asJson({ ...details.data, notApplied: words }) }) }
}

const asJson = (details: ShellDetails): JsonValue => JSON.parse(JSON.stringify(details)) as JsonValue

/** What the model reads when the user refuses the changes of a command that ran in a copy. */
export function refusedCopy({ result, effects }: CopyOutcome, { blobs }: Pick<DispatchParts, 'blobs'>, words: string): ToolOutput {
  if (result === null) return failure(words)
  const all = isInBash(effects) ? `${words} ${BASH_AS_BEFORE}` : words
  return { ...withWords(storedOutput(result, { blobs }), all), isError: true }
}

/**
 * What the model reads when a command has failed in its copy and the user does not let it run for real. Null if the command did not run
 * in a copy.
 */
export function refusedForReal(item: CallItem | null, { blobs }: Pick<DispatchParts, 'blobs'>, refused: Refused): ToolOutput | null {
  const { result, reason = null } = item?.noCopy ?? {}
  if (!result) return null
  const words = refusedAfterCopy(refused, reason)
  return { ...withWords(storedOutput(result, { blobs }), words), isError: true }
}

/** Removes what was kept while the changes waited for an answer, apart from the blobs. */
export async function releaseCopy({ changeSet }: CopyOutcome, { blobs, copies }: Pick<DispatchParts, 'blobs' | 'copies'>): Promise<void> {
  if (changeSet && copies) await copies.commands.release(await copies.commands.parseKept(storedText(changeSet, { blobs })))
}

export const isInBash = (effects: readonly Effect[]): boolean =>
  effects.some((effect) => effect.kind === 'command' && effect.way === 'shell')

const BASH_AS_BEFORE = "The shell's folder, variables and functions are as they were before this command."

/**
 * Keeps the state of the session's bash for the next command. If the next command starts with the old state or in the old folder instead,
 * returns sentences that tell the model so.
 */
export async function bashWords(after: BashState | null, { copies: { bash, commands }, env }: CopyParts): Promise<readonly string[]> {
  if (after === null) return [BASH_AS_BEFORE]
  const before = bash.state()?.folder ?? env.workingDirectory()
  // A folder below `/tmp` or home may exist only for commands in copies, which share their changes there with each other but not with the
  // machine.
  const isThere = (await env.stat(after.folder).catch(() => null))?.kind === 'folder' || (await commands.keeps(after.folder))
  bash.adopt(isThere ? after : { ...after, folder: before })
  return isThere ? [] : [`The folder ${after.folder} existed only in the copy, which is gone, so the shell is in ${before}.`]
}
