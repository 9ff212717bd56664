import { useCallback, useMemo } from 'react'
import { useStore } from 'zustand'
import type { CallItem } from '../../../shared/session/state.ts'
import type { WorkPlan } from '../../../shared/workflow/work-plan.ts'
import { useDesk } from '../desk-context.ts'
import { draftOf, type PlanDraft } from '../stores/plan-drafts.ts'

export type ChangeDraft = (next: (draft: PlanDraft) => PlanDraft) => void

/** The user's draft of a proposed plan, shared by the tray and the Plan tab. */
export function usePlanDraft({ approval }: Pick<CallItem, 'approval'>, plan: WorkPlan): readonly [PlanDraft, ChangeDraft] {
  const { planDrafts } = useDesk()
  const id = approval?.approvalId
  const proposed = useMemo(() => draftOf(plan), [plan])
  const draft = useStore(planDrafts, (all) => (id && all.get(id)) ?? proposed)
  const change: ChangeDraft = useCallback(
    (next) => {
      if (id) planDrafts.setState((all) => new Map(all).set(id, next(all.get(id) ?? proposed)), true)
    },
    [planDrafts, id, proposed],
  )
  return [draft, change]
}
