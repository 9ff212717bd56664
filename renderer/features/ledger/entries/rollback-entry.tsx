import { memo, type ReactNode } from 'react'
import type { RollbackItem } from '../../../../shared/session/state.ts'
import { withoutGitRecords } from '../../../../shared/session/git-change.ts'
import { undoneWords, undoSkipWords } from '../../../../shared/session/rollback.ts'
import { clockTime, counted } from '../../../ui/format.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import { isIdle } from '../../../../shared/session/fold/run-state.ts'
import { previewUndo } from '../../../state/commands/actions.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import { seqOf } from './message-menu.tsx'
import styles from '../ledger.module.css'

/** An undo by the user: what happened to each file. */
export const RollbackEntry = memo(function RollbackEntry({ rollback }: { readonly rollback: RollbackItem }): ReactNode {
  const desk = useDesk()
  const isNewest = useSession(
    useLedgerSession(),
    (session) => isIdle(session) && session.rollbacks.at(-1)?.rollbackId === rollback.rollbackId,
    false,
  )
  const { target, files: all, skipped, uncovered, at } = rollback
  const { others: files, hasRecords } = withoutGitRecords(all)
  const restored = files.filter(({ after }) => after !== null)
  const deleted = files.filter(({ after }) => after === null)
  const facts = [
    ...(restored.length > 0 ? [{ term: 'Restored', fact: restored.map(({ shown }) => shown).join(', ') }] : []),
    ...(deleted.length > 0 ? [{ term: 'Deleted', fact: deleted.map(({ shown }) => shown).join(', ') }] : []),
    ...(hasRecords ? [{ term: 'Repository', fact: 'as it was' }] : []),
    ...(skipped.length > 0 ? [{ term: 'Skipped', fact: skipped.map((file) => `${file.shown}: ${undoSkipWords(file)}.`).join(' ') }] : []),
    ...(uncovered.length > 0 ? [{ term: 'Not covered', fact: uncovered.map(({ shown, why }) => `${shown}: ${why}`).join(' ') }] : []),
  ]
  return (
    <EntryRow
      mark="you"
      at={at}
      line={
        <>
          <span className="verb">{undoneWords(target)}</span>
          <span className="soft">
            {counted(files.length, 'file')}
            {rollback.conversation && ', and the conversation'}
          </span>
        </>
      }
      effect={<span className={styles.whenNarrow}>{clockTime(at)}</span>}
    >
      {facts.length > 0 && <Facts facts={facts} />}
      {isNewest && (
        <Button
          small
          className={styles.below}
          onPress={() =>
            previewUndo(
              desk,
              { kind: 'rollback', rollbackId: rollback.rollbackId },
              rollback.conversation ? { kind: 'before', seq: seqOf(rollback) } : null,
            )
          }
        >
          Redo…
        </Button>
      )}
    </EntryRow>
  )
})
