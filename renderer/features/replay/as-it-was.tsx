import { type ReactNode, useState } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { useSession } from '../../state/desk-context.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { clockTime, counted } from '../../ui/format.ts'
import { Pane, PaneHead } from '../../ui/frame/panes/pane.tsx'
import styles from './replay.module.css'

/** Parts of other features. They show the session of the desk in the surrounding `DeskContext`. */
export interface ReplayParts {
  readonly ledgerOf: (sessionId: SessionId, title: string) => ReactNode
  readonly requestOf: (sessionId: SessionId, call: CallItem) => ReactNode
  readonly changesOf: (sessionId: SessionId) => ReactNode
  readonly commandsOf: (sessionId: SessionId) => ReactNode
  readonly planOf: (sessionId: SessionId) => ReactNode
  readonly agentsOf: (sessionId: SessionId) => ReactNode
}

type Side = 'changes' | 'commands' | 'agents' | 'plan'

export interface AsItWasProps {
  readonly sessionId: SessionId
  /** The time of the moment, in ms since 1970. */
  readonly at: number
  readonly parts: Pick<ReplayParts, 'changesOf' | 'commandsOf' | 'agentsOf' | 'planOf'>
}

/** The pane beside the ledger: changes, commands, agents and plan as they were at the moment. */
export function AsItWas({ sessionId, at, parts }: AsItWasProps): ReactNode {
  const [side, setSide] = useState<Side>('changes')
  const shown = { changes: parts.changesOf, commands: parts.commandsOf, agents: parts.agentsOf, plan: parts.planOf }[side]
  const commands = useSession(
    sessionId,
    ({ items }) => items.filter((item) => item.kind === 'call' && item.effects.some(isCommand)).length,
    0,
  )
  return (
    <aside className={styles.side} aria-label="As it was then">
      <Pane kind="inspector" label="As it was then">
        <PaneHead
          title={`At ${clockTime(at)}`}
          aside={commands > 0 ? counted(commands, 'command') : undefined}
          end={
            <Segmented
              label="What is shown"
              segments={[
                { id: 'changes', label: 'Changes' },
                { id: 'commands', label: 'Terminal' },
                { id: 'agents', label: 'Agents' },
                { id: 'plan', label: 'Plan' },
              ]}
              selected={side}
              onSelect={setSide}
            />
          }
        />
        {shown(sessionId)}
      </Pane>
    </aside>
  )
}

const isCommand = ({ kind }: { readonly kind: string }): boolean => kind === 'command'
