import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { Blame } from '../../../../shared/api/changes/blame.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { mapAtOnce } from '../../../../shared/lib/map-at-once.ts'
import { type OwnPlace, ownPlaceOf } from '../../../../shared/session/settings/where.ts'
import type { CallItem, SessionState } from '../../../../shared/session/state.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { useAnswer } from '../../../state/use-answer.ts'
import { useChangedFiles } from '../../../state/hooks/changes/use-changed-files.ts'
import { wordsOf } from '../../../ui/calls/call-words.ts'
import type { ReviewedFile } from '../review/reviewed-files.ts'
import { type ChangeSet, changeSetsOf } from './change-sets.ts'

const AT_ONCE = 6
const NO_CALLS: readonly CallItem[] = []

export interface NamedSet extends ChangeSet {
  /** What the step did. */
  readonly title: string
}

/** What the session `from` changed, by its steps. Null until that is known. */
export function useChangeSets(from: SessionId, call: CallItem, files: readonly ReviewedFile[] | null): readonly NamedSet[] | null {
  const changed = useChangedFiles(from)
  const blames = useBlames(from, call)
  const place = useStore(useDesk().list, ({ sessions }) => ownPlaceOf(sessions.get(from)?.config))
  const calls = useSession(from, callsOf, NO_CALLS)
  return useMemo(() => {
    const isCompared = files?.every(({ texts, hunks }) => texts === null || hunks !== null) ?? false
    if (files === null || !isCompared || changed === null || blames === null) return null
    const steps = new Map(changed.map((file) => [file.path, file.steps]))
    return changeSetsOf(files, { sessionId: from, blames, steps }).map((set) => ({ ...set, title: titleOf(set, calls, place) }))
  }, [from, place, files, changed, blames, calls])
}

const callsOf = ({ items }: SessionState): readonly CallItem[] => items.filter((item): item is CallItem => item.kind === 'call')

function titleOf({ step }: ChangeSet, calls: readonly CallItem[], place: OwnPlace): string {
  if (step === null) return `Changed in the ${place}, not by a step`
  const call = calls.find((one) => one.step === step)
  if (!call) return `Step ${step}`
  const { verb, subject } = wordsOf(call)
  return `${verb} ${subject}`
}

/** Who wrote the lines of the files that a request would write, in the layer of `from`. Null while that is being found out. */
function useBlames(from: SessionId, { effects }: CallItem): ReadonlyMap<string, Blame> | null {
  const { value } = useAnswer(effects, (client) => {
    const written = effects.flatMap((effect) => (effect.kind === 'write' && !effect.conflict ? [effect] : []))
    return mapAtOnce(written, AT_ONCE, async ({ path, after }): Promise<readonly (readonly [string, Blame])[]> => {
      const blame = await client.changes.blame({ sessionId: from, path, version: after }).catch(() => null)
      return blame?.ok ? [[path, blame.blame]] : []
    })
  })
  return useMemo(() => value && new Map(value.flat()), [value])
}
