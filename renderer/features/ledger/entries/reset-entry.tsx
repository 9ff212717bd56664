import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'

/** The ledger was read anew in the middle of being watched: said calmly, since nothing is lost, and until it is put away. */
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
          Put away
        </Button>
      }
    >
      <p className="note">{why}</p>
    </EntryRow>
  )
}
