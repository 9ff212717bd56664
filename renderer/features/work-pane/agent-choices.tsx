import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useAgentOffers } from '../../state/agents/use-agent-offers.ts'
import { useOfflineReason } from '../../state/desk-context.ts'
import { Select } from '../../ui/controls/select/select.tsx'

/** The categories that have a place in the head, in their order. */
const SHOWN = ['mode', 'model', 'thought_level']

/** The mode, the model and the effort of a third-party agent, as far as it offers them. */
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
