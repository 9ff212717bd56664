import { type ReactNode, useState } from 'react'
import { isOutsidePlan } from '../../../../shared/session/fold/outside-plan.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import type { SignatureReply } from '../../../../shared/workflow/signature-reply.ts'
import { Check } from '../../../ui/controls/check.tsx'

interface AddToPlan {
  /** What goes with the signature. */
  readonly reply: { readonly reply?: SignatureReply }
  /** Null if the step does nothing outside the plan. */
  readonly choice: ReactNode
}

/** Lets the user add what a step does outside the signed plan to the plan. */
export function useAddToPlan({ effects }: CallItem): AddToPlan {
  const [adds, setAdds] = useState(false)
  const choice = isOutsidePlan(effects) ? <Check label="Add to plan" checked={adds} onChange={setAdds} /> : null
  return { reply: adds ? { reply: { kind: 'add_to_plan' } } : {}, choice }
}
