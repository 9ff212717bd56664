import { Check } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import type { SessionSummary, SpentSummary } from '../../../shared/api/sessions.ts'
import type { Lease } from '../../../shared/session/settings/budget-lease.ts'
import { useSession } from '../../state/desk-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { useElapsed } from '../../ui/hooks/use-elapsed.ts'
import { RecordedEntries } from '../../ui/ledger/entry-row.tsx'
import { Dot } from '../../ui/marks/dot.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import { doingOf, endWords, isAtWork, type AgentState, agentStateOf } from './agent-state.ts'
import styles from './agents.module.css'
import { BudgetCell, type BudgetKind, sharesOf } from './budget-cell.tsx'

export interface AgentRowProps {
  readonly session: SessionSummary
  /** Name of the agent: "main", "explore". */
  readonly name: string
  /** A short form of the agent's task. Empty for the session itself. */
  readonly about: string
  /** Depth in the tree. 0 for the session itself. */
  readonly depth: number
  readonly readsOnly: boolean
  readonly ownCopy: boolean
  readonly lease: Lease
  readonly spent: SpentSummary
  readonly columns: readonly BudgetKind[]
  readonly selected: boolean
  readonly tabIndex: number
  readonly onPress: () => void
}

/** One agent: its state, its current activity, and what is left of its budget. */
export function AgentRow({
  session,
  name,
  about,
  depth,
  readsOnly,
  ownCopy,
  lease,
  spent,
  columns,
  selected,
  tabIndex,
  onPress,
}: AgentRowProps): ReactNode {
  const state = agentStateOf(session)
  const atWork = isAtWork(session)
  const isRecord = useContext(RecordedEntries)
  const running = useElapsed(atWork && !isRecord ? session.startedAt : null)
  const shares = sharesOf(lease, spent, atWork && !isRecord ? running : session.updatedAt - session.startedAt)
  return (
    <tr className={classNames(styles.row, selected && styles.selected)} aria-current={selected || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the button in it has its words */}
      <th scope="row" style={{ paddingInlineStart: `${16 + depth * 16}px` }}>
        <button type="button" className={styles.press} data-agent="" tabIndex={tabIndex} onClick={onPress}>
          <span className={styles.lead}>
            <Sign state={state} />
          </span>
          <span className={classNames(styles.name, !atWork && 'soft')}>
            <span className={atWork ? 'strong' : undefined}>{name}</span>
            {about !== '' && <span className="soft"> {about}</span>}
            {ownCopy && <span className="meta"> writes in its own copy</span>}
            {readsOnly && <VisuallyHidden>, reads only</VisuallyHidden>}
          </span>
          <span className={classNames(styles.act, state === 'needs' && 'needs')}>
            {atWork ? isRecord ? (session.need ?? 'working') : <Doing session={session} /> : endWords(session)}
          </span>
        </button>
      </th>
      {columns.map((what) => (
        <td key={what} className={styles.cell}>
          <BudgetCell what={what} share={shares[what]} over={!atWork} />
        </td>
      ))}
    </tr>
  )
}

function Doing({ session }: { readonly session: SessionSummary }): ReactNode {
  return useSession(session.sessionId, doingOf, session.need ?? 'working')
}

function Sign({ state }: { readonly state: AgentState }): ReactNode {
  switch (state) {
    case 'needs':
      return <Dot state="needs" />
    case 'working':
      return <Dot state="running" />
    case 'failed':
    case 'orphaned':
      return <Dot state="failed" silent />
    case 'done':
      return <Icon glyph={Check} size={12} />
    case 'stopped':
    case 'limit':
    case 'new':
      return null
  }
}
