import { type ReactNode, useState } from 'react'
import type { ParentLink } from '../../../../shared/session/events.ts'
import type { CallItem, SessionState, UserItem } from '../../../../shared/session/state.ts'
import { useSession } from '../../../state/desk-context.ts'
import { FoldButton } from './fold-button.tsx'
import styles from '../ledger.module.css'
import { foreign } from '../../../ui/text/exact-text.tsx'

export interface SubagentTaskProps {
  readonly item: UserItem
  readonly parent: ParentLink
}

/** The first message of a subagent, which is its task. The instructions that every agent of this kind gets are folded. */
export function SubagentTask({ item, parent }: SubagentTaskProps): ReactNode {
  const task = useSession(parent.sessionId, ({ items }) => taskOf(items, parent), '')
  const [isOpen, setOpen] = useState(false)
  const instructions = task !== '' && item.text.startsWith(task) ? item.text.slice(task.length).trim() : ''
  if (instructions === '') return <p className={styles.lines}>{foreign(item.text)}</p>
  return (
    <>
      <p className={styles.lines}>
        {task}
        <FoldButton open={isOpen} what={`the instructions of every ${parent.agentType} agent`} onPress={() => setOpen(!isOpen)} />
      </p>
      {isOpen && <p className={`note ${styles.lines}`}>{foreign(instructions)}</p>}
    </>
  )
}

function taskOf(items: SessionState['items'], { toolCallId }: ParentLink): string {
  const call = items.find((item): item is CallItem => item.kind === 'call' && item.toolCallId === toolCallId)
  const said = call?.args?.['prompt'] ?? call?.args?.['task']
  return typeof said === 'string' ? said.trim() : ''
}
