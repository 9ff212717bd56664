import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useAgentOffers } from '../../state/agents/use-agent-offers.ts'
import { useOfflineReason } from '../../state/desk-context.ts'
import { Select } from '../../ui/controls/select/select.tsx'

/** The categories that are shown in the head of the session, in this order. */
const SHOWN = ['mode', 'model', 'thought_level']

/** Chooses the mode, model and effort of a third-party agent. Shows only those that it offers. */
export function AgentChoices({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const offline = useOfflineReason()
  const { offers, choose } = useAgentOffers(sessionId)
  const shown = SHOWN.flatMap((category) => offers?.choices.find((choice) => choice.category === category) ?? [])
  return shown.map(({ id, name, category, current, values }) => (
    <Select
      key={id}
      label={name}
      prefix={category === 'model' ? undefined : name}
      selected={current}
      options={values.map(({ value, name: label, about }) => ({ id: value, label, ...(about !== '' && { hint: about }) }))}
      onSelect={(value) => choose(id, value)}
      align="end"
      disabledReason={offline}
    />
  ))
}
