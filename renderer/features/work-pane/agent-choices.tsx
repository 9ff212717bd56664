import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { useAgentLog } from '../../state/agents/use-agent-log.ts'
import { useAgentOffers } from '../../state/agents/use-agent-offers.ts'
import { useOfflineReason } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import styles from './work.module.css'

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

/** The name of a session's third-party agent. If the agent keeps a log of the session, the name is a link to it. */
export function AgentName({ sessionId, name }: { readonly sessionId: SessionId; readonly name: string }): ReactNode {
  const offline = useOfflineReason()
  const { path, open } = useAgentLog(sessionId)
  if (path === null) return <span className={styles.project}>{name}</span>
  return (
    <Button
      variant="quiet"
      small
      icon={ScrollText}
      tip={`Opens the log that ${name} keeps itself: ${path}`}
      disabledReason={offline}
      onPress={open}
    >
      {name}
    </Button>
  )
}
