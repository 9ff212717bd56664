import type { ReactNode } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { chooseFolder } from '../../../state/commands/actions.ts'
import { report } from '../../../state/commands/attempt.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'

/** The way on from a rehearsal that came to its end: a project of one's own. */
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
