import { useEffect, useState } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { FileChange } from '../../../../shared/session/file-change.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import type { ConversationPoint } from '../../../../shared/session/conversation-move.ts'
import { foldersWithoutFiles } from '../../../../shared/session/file-change.ts'
import type { UndoTarget } from '../../../../shared/session/rollback.ts'
import type { ConflictChoice } from '../../../../shared/lib/lines/line-conflict.ts'
import type { UndoConflict, UndoPreview } from '../../../../shared/session/undo-preview.ts'
import { NOT_CONNECTED } from '../../../state/commands/attempt-request.ts'
import { giveMessageBack } from '../../../state/commands/conversation-actions.ts'
import { useDesk, useIsConnected, useView } from '../../../state/desk-context.ts'

export interface UndoWork {
  /** Null while the preview is being computed. */
  readonly preview: UndoPreview | null
  readonly trouble: Trouble | null
  /** Whether files changed after the preview. If so, the preview was made again. */
  readonly hasChanged: boolean
  readonly isRunning: boolean
  /** The file whose difference is shown. */
  readonly shown: FileChange | null
  readonly conflict: UndoConflict | null
  readonly show: (path: string) => void
  /** Skipped files that the user chose to restore. */
  readonly anyway: ReadonlySet<string>
  readonly setAnyway: (path: string, isWanted: boolean) => void
  readonly choicesFor: (conflict: UndoConflict) => readonly (ConflictChoice | null)[]
  readonly choose: (conflict: UndoConflict, region: number, choice: ConflictChoice) => void
  readonly unresolved: number
  /** The point to which the conversation can go back together with the files. Null if there is none. */
  readonly point: ConversationPoint | null
  readonly withConversation: boolean
  readonly setWithConversation: (wanted: boolean) => void
  /** Whether no file would change, but the conversation would go back. */
  readonly isConversationOnly: boolean
  readonly run: () => void
}

/** Keeps the preview of an undo and the user's decisions, and carries out the undo. `onDone` is called when the undo is complete. */
export function useUndo(sessionId: SessionId, target: UndoTarget, onDone: () => void): UndoWork {
  const desk = useDesk()
  const given = useView((view) => view.undoPoint)
  const point = given ?? (target.kind === 'to' && target.step > 0 ? ({ kind: 'step', step: target.step } as const) : null)
  const [withConversation, setWithConversation] = useState(given !== null)
  const [preview, setPreview] = useState<UndoPreview | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [hasChanged, setHasChanged] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [path, setPath] = useState<string | null>(null)
  const [anyway, setAnyway] = useState<ReadonlySet<string>>(new Set())
  const [choices, setChoices] = useState<ReadonlyMap<string, readonly (ConflictChoice | null)[]>>(new Map())
  const isConnected = useIsConnected()
  const isWanted = preview === null && isConnected
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    setTrouble(null)
    const asked = desk.connection.client?.changes.previewUndo({ sessionId, target })
    asked?.then(
      (found) => isCurrent && (found.ok ? setPreview(found.preview) : setTrouble(found.trouble)),
      (error: unknown) => isCurrent && setTrouble(lost(error)),
    )
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the page is created again for each target
  }, [desk, sessionId, isWanted])
  const changes = preview ? [...preview.files.map(({ change }) => change), ...preview.skipped.flatMap(({ change }) => change ?? [])] : []
  const conflict = preview?.conflicts.find((one) => one.path === path) ?? (path === null ? (preview?.conflicts[0] ?? null) : null)
  const shown = conflict ? null : (changes.find((change) => change.path === path) ?? changes[0] ?? null)
  const choicesFor = (one: UndoConflict): readonly (ConflictChoice | null)[] =>
    choices.get(one.path) ?? Array.from({ length: Math.max(1, one.regions.length) }, () => null)
  const all = (preview?.conflicts ?? []).map((one) => ({ path: one.path, choices: choicesFor(one) }))
  const isConversationOnly = preview !== null && anyway.size === 0 && changesNothing(preview) && point !== null && withConversation
  const run = async (plan: string): Promise<void> => {
    const client = desk.connection.client
    if (!client) return setTrouble(NOT_CONNECTED)
    const made = all.map((one) => ({ path: one.path, choices: one.choices.flatMap((choice) => (choice === null ? [] : [choice])) }))
    if (point && isConversationOnly) {
      const gone = await client.sessions.goBack({ sessionId, point })
      if (!gone.ok) return setTrouble(gone.trouble)
      giveMessageBack(desk, sessionId, point)
      return onDone()
    }
    const sent = point && withConversation ? { conversation: point } : {}
    const outcome = await client.changes.undo({ sessionId, target, plan, anyway: [...anyway], choices: made, ...sent })
    if (outcome.kind === 'done') {
      if (point && withConversation) giveMessageBack(desk, sessionId, point)
      return onDone()
    }
    if (outcome.kind === 'refused') return setTrouble(outcome.trouble)
    setPreview(outcome.preview)
    setHasChanged(true)
    setAnyway(new Set())
    setChoices(new Map())
  }
  return {
    preview,
    trouble,
    hasChanged,
    isRunning,
    shown,
    conflict,
    anyway,
    choicesFor,
    show: setPath,
    point,
    withConversation,
    setWithConversation,
    isConversationOnly,
    setAnyway(wanted, isWanted) {
      const next = new Set(anyway)
      if (isWanted) next.add(wanted)
      else next.delete(wanted)
      setAnyway(next)
    },
    choose(one, region, choice) {
      setChoices(new Map(choices).set(one.path, choicesFor(one).with(region, choice)))
    },
    unresolved: all.flatMap((one) => one.choices).filter((choice) => choice === null).length,
    run() {
      if (!preview || isRunning) return
      setRunning(true)
      setTrouble(null)
      run(preview.plan)
        .catch((error: unknown) => setTrouble(lost(error)))
        .finally(() => setRunning(false))
    },
  }
}

/** Whether no file would change. A folder with a skipped file is kept. */
export const changesNothing = ({ files, folders, conflicts, skipped }: UndoPreview): boolean =>
  files.length + conflicts.length + foldersWithoutFiles(folders, skipped).length === 0

function lost(error: unknown): Trouble {
  return { ...NOT_CONNECTED, code: 'wire', what: `Nothing was undone: ${error instanceof Error ? error.message : String(error)}` }
}
