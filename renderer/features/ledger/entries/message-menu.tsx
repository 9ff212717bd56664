import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { isIdle } from '../../../../shared/session/fold/run-state.ts'
import { messageAsTyped } from '../../../../shared/session/person-message.ts'
import type { Item, UserItem } from '../../../../shared/session/state.ts'
import { previewUndo } from '../../../state/commands/actions.ts'
import { forkSession, goBack } from '../../../state/commands/conversation-actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../../state/desk-context.ts'
import { stepBefore } from '../../../state/views/newest-change.ts'
import { MenuHere } from '../../../ui/controls/menu.tsx'
import type { PointerPlace } from '../../../ui/controls/pointer-menu.tsx'
import { useLedgerSession } from '../ledger-session.ts'

/** The menu of a user's message: go back to the point before it, or continue from there in a new session. */
export function MessageMenu({ item, at }: { readonly item: UserItem; readonly at?: PointerPlace | undefined }): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const offline = useOfflineReason()
  const isAtRest = useSession(sessionId, isIdle, true)
  const step = useSession(sessionId, (session) => stepBefore(session, item), null)
  const seq = seqOf(item)
  const blocked = offline ?? (isAtRest ? null : 'The agent is working')
  const point = { kind: 'before', seq } as const
  return (
    <MenuHere
      at={at}
      label="This message"
      align="end"
      trigger={{ variant: 'quiet', small: true, only: true, icon: Ellipsis, label: 'From this message' }}
      entries={[
        {
          kind: 'item',
          id: 'edit',
          label: 'Edit and send again, in a new session',
          disabledReason: offline,
          onSelect: () => forkSession(desk, sessionId, point, { text: messageAsTyped(item), pictures: item.pictures ?? [] }),
        },
        {
          kind: 'item',
          id: 'fork',
          label: 'Fork from before this message',
          disabledReason: offline,
          onSelect: () => forkSession(desk, sessionId, point),
        },
        { kind: 'rule', id: 'rule' },
        {
          kind: 'item',
          id: 'conversation',
          label: 'Go back to before this message, conversation only',
          disabledReason: blocked,
          onSelect: () => goBack(desk, sessionId, point),
        },
        {
          kind: 'item',
          id: 'both',
          label: 'Go back to before this message, files too…',
          disabledReason: blocked ?? (step === null ? 'Load the older entries first' : null),
          onSelect: () => previewUndo(desk, { kind: 'to', step: step ?? 0 }, point),
        },
        { kind: 'rule', id: 'copy-rule' },
        copying(messageAsTyped(item)),
      ]}
    />
  )
}

interface AnswerMenuProps {
  readonly seq: number
  readonly text: string
  readonly at?: PointerPlace | undefined
}

/** The menu of an agent's answer: continue from there in a new session, or go back to it. */
export function AnswerMenu({ seq, text, at }: AnswerMenuProps): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const offline = useOfflineReason()
  const isAtRest = useSession(sessionId, isIdle, true)
  const isAgent = useSession(sessionId, ({ parent }) => parent !== null, true)
  if (isAgent) return null
  const point = { kind: 'after', seq } as const
  return (
    <MenuHere
      at={at}
      label="This answer"
      align="end"
      trigger={{ variant: 'quiet', small: true, only: true, icon: Ellipsis, label: 'From this answer' }}
      entries={[
        { kind: 'item', id: 'fork', label: 'Fork from here', disabledReason: offline, onSelect: () => forkSession(desk, sessionId, point) },
        {
          kind: 'item',
          id: 'conversation',
          label: 'Go back to here, conversation only',
          disabledReason: offline ?? (isAtRest ? null : 'The agent is working'),
          onSelect: () => goBack(desk, sessionId, point),
        },
        { kind: 'rule', id: 'copy-rule' },
        copying(text),
      ]}
    />
  )
}

const copying = (text: string) =>
  ({ kind: 'item', id: 'copy', label: 'Copy the text', onSelect: () => void navigator.clipboard.writeText(text) }) as const

/** The sequence number of the event that made an entry. */
export const seqOf = ({ id }: Pick<Item, 'id'>): number => Number(id.slice(1))
