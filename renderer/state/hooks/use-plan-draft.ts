import { useCallback, useMemo } from 'react'
import { useStore } from 'zustand'
import type { CallItem } from '../../../shared/session/state.ts'
import type { WorkPlan } from '../../../shared/workflow/work-plan.ts'
import { useDesk } from '../desk-context.ts'
import { draftOf, type PlanDraft } from '../stores/plan-drafts.ts'

export type ChangeDraft = (next: (draft: PlanDraft) => PlanDraft) => void

/** The user's draft of a proposed plan, shared by the tray and the Plan tab. */
export function usePlanDraft({ approval }: Pick<CallItem, 'approval'>, plan: WorkPlan): readonly [PlanDraft, ChangeDraft] {
  const { store } = useDesk().planDrafts
  const id = approval?.approvalId
  const proposed = useMemo(() => draftOf(plan), [plan])
  const draft = useStore(store, (all) => (id && all.get(id)) ?? proposed)
  const change: ChangeDraft = useCallback(
    (next) => {
      if (id) store.setState((all) => new Map(all).set(id, next(all.get(id) ?? proposed)), true)
    },
    [store, id, proposed],
  )
  return [draft, change]
}
