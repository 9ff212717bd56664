import { join } from 'node:path'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { ToolCallPart } from '../../../shared/session/content.ts'
import { type CommandEffect, type Effect, isLayerWork } from '../../../shared/session/effects.ts'
import type { BlobRef, CopyOutcome, DurableEvent } from '../../../shared/session/events.ts'
import type { CopyChange, KeptChangeSet } from '../ports/command-copies.ts'
import type { AppliedChange, LayerChanges, LayerOwner } from '../ports/layers.ts'
import type { ToolOutput } from '../ports/tool.ts'
import { redacted, withWords } from '../tool-output.ts'
import type { Copies, DispatchParts } from '../dispatch/dispatch-parts.ts'
import type { Commit, SignedInPart } from '../dispatch/prepare.ts'
import { leftInLayerWords } from '../../../shared/session/file-change.ts'
import { fileOfEntry, hasSameContent } from '../layer-file.ts'
import { notApplied, signedPart, storedAsJson, storedOutput, storedText } from './copy-commit.ts'

type Own = NonNullable<ToolOutput['layerChanges']>
type LayerChangeParts = Pick<DispatchParts, 'blobs' | 'redactor' | 'env'> & { readonly copies: Copies }

/**
 * Creates the event that records what a session changed in its layer: a subagent, in its parent's log, or a session whose work is brought
 * in. From then on, these changes wait for a signature, like those of a command.
 */
export async function layerChangesEnded(
  { toolCallId }: ToolCallPart,
  { layerChanges, ...output }: ToolOutput & { readonly layerChanges: Own },
  durationMs: number,
  parts: LayerChangeParts,
): Promise<DurableEvent> {
  const { owner, changes } = layerChanges
  const changeSet = storedAsJson(changes, parts)
  const command: CommandEffect = {
    kind: 'command',
    command: owner.kind === 'subagent' ? `subagent ${owner.agentType}` : `bring in ${owner.title}`,
    cwd: changes.folder,
    outside: false,
    env: {},
    timeoutMs: 0,
    destructive: false,
    sandbox: 'copy',
    changeSet: changeSet.hash,
    ...ownerFact(owner),
  }
  const { effects, kept } = await parts.copies.rebase(changes)
  const notes = leftInLayerWords(changes)
  return {
    kind: 'COPY_ENDED',
    toolCallId,
    effects: [command, ...effects],
    changeSet,
    result: storedAsJson({ ...redacted(output, parts.redactor), durationMs }, parts),
    tail: '',
    exitCode: 0,
    durationMs,
    blocked: [],
    leftOut: kept,
    dropped: null,
    ...(notes.length > 0 && { notes }),
  }
}

function ownerFact(owner: LayerOwner): Pick<CommandEffect, 'subagent' | 'broughtFrom'> {
  if (owner.kind === 'session') {
    const { kind: _, ...from } = owner
    return { broughtFrom: from }
  }
  return { subagent: { agentId: owner.agentId, agentType: owner.agentType } }
}

/**
 * The step that applies the changes of a layer to the current folder. `commitOf` applies the part that was signed, or everything if that is
 * null. If the folder changes after this was prepared, nothing is applied. Null if the outcome is a command's.
 */
export async function layerStep(
  outcome: CopyOutcome,
  parts: LayerChangeParts,
): Promise<{ readonly effects: readonly Effect[]; readonly commitOf: (amended: SignedInPart | null) => Commit } | null> {
  const [command] = outcome.effects
  if (command?.kind !== 'command' || !isLayerWork(command) || !outcome.changeSet) return null
  const own = readOwn(outcome.changeSet, parts)
  const rebased = await parts.copies.rebase(own)
  return { effects: [command, ...rebased.effects], commitOf: (amended) => layerCommit({ outcome, own, rebased }, parts, amended) }
}

interface LayerWork {
  readonly outcome: CopyOutcome
  readonly own: LayerChanges
  readonly rebased: Awaited<ReturnType<Copies['rebase']>>
}

function layerCommit({ outcome, own, rebased }: LayerWork, parts: LayerChangeParts, amended: SignedInPart | null): Commit {
  return async (run) => {
    const { result } = outcome
    if (!result) throw new Error('This layer has nothing to apply.')
    const { commands } = parts.copies
    const output = storedOutput(result, parts)
    const signed = signedPart(rebased.changeSet, amended)
    const only = new Set(signed.only ?? signed.changeSet.changes.map(({ path }) => path))
    const changes = signed.changeSet.changes.filter((change) => !isNoChange(change))
    const names = [...endsByPath({ ...signed.changeSet, changes }).keys()].filter((path) => only.has(path))
    const conflicts = (amended?.effects ?? rebased.effects).flatMap((effect) =>
      effect.kind === 'write' && effect.conflict ? [`${effect.shown} (${effect.conflict.regions.length} places)`] : [],
    )
    const applied = await commands.apply({ ...signed.changeSet, changes }, (hash) => run.bytes(hash), signed.only)
    if (applied.kind !== 'applied') {
      const refused = notApplied(output, applied)
      return { ...refused, shown: `${refused.shown}\n${applied.reason}` }
    }
    const from = broughtFrom(outcome)
    if (from !== null) await parts.copies.broughtIn(from, own, appliedChanges(rebased, signed.changeSet, only))
    const told = withWords(output, [wordsOf({ names, conflicts, kept: rebased.kept }), ...leftInLayerWords(own)].join(' '))
    return amended === null ? told : withWords(told, amended.words)
  }
}

function wordsOf({ names, conflicts, kept }: Readonly<Record<'names' | 'conflicts' | 'kept', readonly string[]>>): string {
  return [
    names.length === 0 ? 'None of its changes were applied.' : `Its changes were applied to the folder: ${names.join(', ')}.`,
    ...(conflicts.length === 0
      ? []
      : [
          `In conflict: ${conflicts.join(', ')}. Someone else changed the conflicting lines in the meantime, so these lines were left unchanged in the folder.`,
        ]),
    ...(kept.length === 0 ? [] : [`Not applied, because the whole file conflicts: ${kept.join(', ')}.`]),
  ].join(' ')
}

function broughtFrom({ effects: [command] }: CopyOutcome): SessionId | null {
  return command?.kind === 'command' ? (command.broughtFrom?.sessionId ?? null) : null
}

/** The files and links that were changed, each path once. */
function appliedChanges(
  { changeSet: proposed, effects }: Pick<Awaited<ReturnType<Copies['rebase']>>, 'changeSet' | 'effects'>,
  signed: KeptChangeSet,
  only: ReadonlySet<string>,
): readonly AppliedChange[] {
  const wanted = endsByPath(proposed)
  const inConflict = new Set(effects.flatMap((effect) => (effect.kind === 'write' && effect.conflict ? [effect.path] : [])))
  return [...endsByPath(signed)].flatMap(([path, { before, after }]) => {
    if (!only.has(path)) return []
    const proposal = wanted.get(path)
    const isWhole = proposal !== undefined && hasSameContent(proposal.after, after) && !inConflict.has(join(proposed.folder, path))
    return [{ path, before, after, isWhole }]
  })
}

type Ends = Pick<AppliedChange, 'before' | 'after'>

/**
 * What was at each changed path, and what will be. Folders are left out. A file that a link replaces has two changes, a deletion and a
 * creation.
 */
function endsByPath({ changes }: KeptChangeSet): ReadonlyMap<string, Ends> {
  const ends = new Map<string, Ends>()
  for (const change of changes) {
    if (isFolder(change)) continue
    const before = change.kind === 'created' ? null : fileOfEntry(change.before)
    const after = change.kind === 'deleted' ? null : fileOfEntry(change.after)
    ends.set(change.path, { before: ends.get(change.path)?.before ?? before, after })
  }
  return ends
}

const isFolder = (change: CopyChange): boolean => (change.kind === 'deleted' ? change.before : change.after).kind === 'folder'

function isNoChange(change: CopyChange): boolean {
  if (change.kind !== 'modified' || change.before.kind !== 'file' || change.after.kind !== 'file') return false
  return change.before.hash === change.after.hash && change.before.mode === change.after.mode
}

const readOwn = (ref: BlobRef, parts: Pick<DispatchParts, 'blobs'>): LayerChanges => JSON.parse(storedText(ref, parts)) as LayerChanges
