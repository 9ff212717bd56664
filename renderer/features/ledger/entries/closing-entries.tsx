import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { newestChange } from '../../../state/views/newest-change.ts'
import { bringIn, canBringIn } from '../../../state/commands/layer-actions.ts'
import { BranchOffer } from './branch-offer.tsx'
import { chooseFolder, previewUndo } from '../../../state/commands/actions.ts'
import { report } from '../../../state/commands/attempt-request.ts'

/** Says, until it is dismissed, that the ledger was reloaded while it was shown. */
export function ResetEntry({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const session = useDesk().session(sessionId)
  const why = useStore(session.store, (open) => (open.session === null ? null : open.resetWhy))
  if (why === null) return null
  return (
    <EntryRow
      mark="note"
      line={<span className="soft clip">The ledger was reloaded from the log. Nothing is lost.</span>}
      effect={
        <Button variant="quiet" small onPress={() => session.forgetReset()}>
          Dismiss
        </Button>
      }
    >
      <p className="note">{why}</p>
    </EntryRow>
  )
}

/** Shown after a turn that changed files: how many changed, and buttons that go back to before the turn and bring in the session's work. */
export function UndoTurnOffer({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const change = useSession(sessionId, (session) => (session.run === 'IDLE' ? newestChange(session) : null), null)
  const mayBringIn = useSession(sessionId, ({ config }) => canBringIn(config), false)
  if (change === null) return null
  return (
    <EntryRow
      mark="note"
      line={<span className="soft">{change.words}.</span>}
      effect={
        <>
          {mayBringIn && (
            <Button small variant="quiet" onPress={() => void bringIn(desk, sessionId)}>
              Bring in changes…
            </Button>
          )}
          <BranchOffer sessionId={sessionId} />
          <Button small variant="quiet" onPress={() => previewUndo(desk, { kind: 'to', step: change.turnFrom })}>
            Go back…
          </Button>
        </>
      }
    />
  )
}

/** Shown after the rehearsal: a button to open the user's own project. */
export function RehearsalEnd({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const isOver = useSession(
    sessionId,
    ({ config, run, ended }) => config.provider === 'rehearsal' && run === 'IDLE' && ended === 'completed',
    false,
  )
  if (!isOver) return null
  return (
    <EntryRow
      mark="note"
      line={<span className="soft">Next, a project of your own.</span>}
      effect={
        <Button small keys="Mod+O" onPress={() => void report(desk, chooseFolder(desk))}>
          Open a folder
        </Button>
      }
    />
  )
}
