import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import { showReplay } from '../../state/commands/actions.ts'
import { askToDelete, flagSession, saveExport } from '../../state/commands/session-actions.ts'
import { showBeside } from '../../state/commands/session-pair.ts'
import { useDesk, useOfflineReason, useView } from '../../state/desk-context.ts'
import { isBusy } from '../../state/stores/session-list.ts'
import { MenuHere } from '../../ui/controls/menu.tsx'
import type { PointerPlace } from '../../ui/controls/pointer-menu.tsx'

export interface SessionMenuProps {
  readonly session: SessionSummary
  readonly onRename: () => void
  /** Set if the menu is open at the pointer. Otherwise, its button is shown. */
  readonly at?: PointerPlace | undefined
}

/** The menu of a session in the list. */
export function SessionMenu({ session, onRename, at }: SessionMenuProps): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const { sessionId } = session
  const isPinned = useStore(desk.flags, ({ pinned }) => pinned.has(sessionId))
  const isArchived = useStore(desk.flags, ({ archived }) => archived.has(sessionId))
  const canPair = useView((view) => view.sessionId !== null && view.sessionId !== sessionId && view.pair?.includes(sessionId) !== true)
  const item = (id: string, label: string, onSelect: () => void, why: string | null = null) =>
    ({ kind: 'item', id, label, disabledReason: offline ?? why, onSelect }) as const
  return (
    <MenuHere
      at={at}
      label="This session"
      align="end"
      trigger={{
        variant: 'quiet',
        small: true,
        only: true,
        icon: Ellipsis,
        label: 'More for this session',
        tabIndex: -1,
      }}
      entries={[
        ...(canPair ? [item('beside', 'Show beside the current one', () => showBeside(desk, sessionId))] : []),
        item('rename', 'Rename', onRename),
        item('pin', isPinned ? 'Unpin' : 'Pin', () => flagSession(desk, sessionId, 'pinned', !isPinned)),
        item('archive', isArchived ? 'Take out of the archive' : 'Archive', () => flagSession(desk, sessionId, 'archived', !isArchived)),
        item('replay', 'Replay', () => showReplay(desk, sessionId)),
        { kind: 'rule', id: 'export-rule' },
        item('export-markdown', 'Export as Markdown', () => saveExport(desk, sessionId, 'markdown')),
        item('export-html', 'Export as one HTML file', () => saveExport(desk, sessionId, 'html')),
        item('export-json', 'Export as JSON', () => saveExport(desk, sessionId, 'json')),
        { kind: 'rule', id: 'rule' },
        item('delete', 'Delete…', () => askToDelete(desk, [sessionId]), isPinned ? 'Pinned' : isBusy(session) ? 'Working' : null),
      ]}
    />
  )
}
