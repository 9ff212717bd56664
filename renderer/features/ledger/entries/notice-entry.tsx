import { memo, type ReactNode } from 'react'
import { CONFIGURED, HOOK_NOTICE, STOPPED } from '../../../../shared/session/fold/fold-notice.ts'
import { isIdle } from '../../../../shared/session/fold/run-state.ts'
import type { NoticeItem, SessionState } from '../../../../shared/session/state.ts'
import { WITHDRAWN } from '../../../../shared/session/fold/withdrawal.ts'
import { undoCompaction } from '../../../state/commands/actions.ts'
import { useDesk, useOfflineReason, useSession } from '../../../state/desk-context.ts'
import { isTooLong, undoneWords } from '../../../state/views/context-and-price.ts'
import { useModelFacts } from '../../../state/hooks/use-model-facts.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { clockTime } from '../../../ui/format.ts'
import { EntryRow } from '../../../ui/ledger/entry-row.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import { useLedgerSession } from '../ledger-session.ts'
import styles from '../ledger.module.css'

/** A past error or limit, in three lines. The newest such notice is shown in the tray instead. */
export const NoticeEntry = memo(function NoticeEntry({ notice }: { readonly notice: NoticeItem }): ReactNode {
  const { code, what, kept, todo } = notice.trouble
  if (code === STOPPED) return <StoppedEntry at={notice.at} />
  if (code === WITHDRAWN) return <WithdrawnEntry notice={notice} />
  if (code === CONFIGURED) return <ConfiguredEntry notice={notice} />
  if (code === HOOK_NOTICE) return <HookEntry notice={notice} />
  if (code === 'compacted') return <CompactionEntry notice={notice} />
  const [happened, ...single] = what.split('\n')
  return (
    <EntryRow
      mark={notice.level === 'error' ? 'failed' : 'note'}
      at={notice.at}
      line={<span className={`strong ${styles.happened}`}>{happened}</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(notice.at)}</span>}
    >
      {single.map((line) => (
        <p key={line} className={`note ${styles.lines}`}>
          {line}
        </p>
      ))}
      <Facts
        facts={[
          { term: 'What was kept', fact: kept },
          { term: 'What to do', fact: todo },
        ]}
      />
    </EntryRow>
  )
})

/** A change of model, mode or effort, in one line. */
function ConfiguredEntry({ notice }: { readonly notice: NoticeItem }): ReactNode {
  const [verb = '', ...rest] = notice.trouble.what.replace(/\.$/u, '').split(' ')
  return (
    <EntryRow
      mark="note"
      at={notice.at}
      line={
        <>
          <span className="verb">{verb}</span>
          <span className={`soft ${styles.happened}`}>{rest.join(' ')}</span>
        </>
      }
      effect={<span className={styles.whenNarrow}>{clockTime(notice.at)}</span>}
    />
  )
}

/** What a hook did, in one line, with its command below. */
function HookEntry({ notice }: { readonly notice: NoticeItem }): ReactNode {
  return (
    <EntryRow
      mark="note"
      at={notice.at}
      line={<span className={`soft ${styles.happened}`}>{notice.trouble.what}</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(notice.at)}</span>}
    >
      <p className={`note ${styles.lines}`}>{notice.trouble.kept}</p>
    </EntryRow>
  )
}

/** A compaction. If it was undone, it is struck through and gives no advice. */
function CompactionEntry({ notice }: { readonly notice: NoticeItem }): ReactNode {
  const wasUndone = useSession(useLedgerSession(), (session) => isUndone(session, notice.id), false)
  const { what, kept, todo } = notice.trouble
  const verb = what.slice(0, what.indexOf(' '))
  return (
    <EntryRow
      mark={wasUndone ? 'undone' : 'note'}
      at={notice.at}
      line={
        <span className={styles.happened}>
          <span className="verb">{verb}</span>
          {what.slice(verb.length)}
        </span>
      }
      effect={<span className={styles.whenNarrow}>{clockTime(notice.at)}</span>}
    >
      {!wasUndone && (
        <Facts
          facts={[
            { term: 'What was kept', fact: kept },
            { term: 'What to do', fact: todo },
          ]}
        />
      )}
      <UndoCompaction notice={notice} />
    </EntryRow>
  )
}

/** The undo button. Only the newest compaction can be undone, and not while a turn runs. */
function UndoCompaction({ notice }: { readonly notice: NoticeItem }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const sessionId = useLedgerSession()
  const mayBe = useSession(sessionId, (session) => isIdle(session) && newestCompaction(session) === notice.id, false)
  const before = useSession(sessionId, ({ compactions }) => compactions.at(-1)?.tokensBefore ?? 0, 0)
  const window = useModelFacts(sessionId)?.contextWindow ?? null
  if (!mayBe) return null
  return (
    <>
      {isTooLong(before, window) && <p className="note">{undoneWords({ tokensBefore: before }, window)}</p>}
      <Button small className={styles.below} disabledReason={offline} onPress={() => undoCompaction(desk, sessionId)}>
        Undo the compaction
      </Button>
    </>
  )
}

/** Whether the compaction that this entry reports was undone later. Looks only at entries that are loaded. */
export function isUndone({ items }: Pick<SessionState, 'items'>, id: string): boolean {
  let undone = 0
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind !== 'notice') continue
    if (item.trouble.code === 'compaction_undone') undone++
    if (item.trouble.code !== 'compacted') continue
    if (item.id === id) return undone > 0
    if (undone > 0) undone--
  }
  return false
}

/**
 * Id of the entry of the newest active compaction, which is the only one that can be undone. Null if there is none or the entry is not
 * loaded.
 */
export function newestCompaction({ items, compactions }: Pick<SessionState, 'items' | 'compactions'>): string | null {
  if (compactions.length === 0) return null
  let undone = 0
  for (const item of items.toReversed()) {
    if (item.kind !== 'notice') continue
    if (item.trouble.code === 'compaction_undone') undone++
    else if (item.trouble.code === 'compacted' && undone-- === 0) return item.id
  }
  return null
}

/** A request that Countersign withdrew, and why, in one line. */
function WithdrawnEntry({ notice: { at, trouble } }: { readonly notice: NoticeItem }): ReactNode {
  return (
    <EntryRow
      mark="note"
      at={at}
      line={
        <span className="soft">
          {trouble.what} {trouble.kept}
        </span>
      }
      effect={<span className={styles.whenNarrow}>{clockTime(at)}</span>}
    />
  )
}

/**
 * Marks the place where a turn was stopped: by the user or, in the session of a subagent, perhaps by its parent. `at` is in ms since 1970.
 */
function StoppedEntry({ at }: { readonly at: number }): ReactNode {
  const isPersons = useSession(useLedgerSession(), (session) => session.parent === null, true)
  return (
    <EntryRow
      mark="note"
      at={at}
      line={<span className="soft">{isPersons ? 'Stopped by you' : 'Stopped'}. Everything up to here is kept.</span>}
      effect={<span className={styles.whenNarrow}>{clockTime(at)}</span>}
    />
  )
}
