import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionWeight, StorageReport, Weight } from '../../../../shared/api/storage.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest, requestAnswer } from '../../../state/commands/attempt-request.ts'
import { askToDelete } from '../../../state/commands/session-actions.ts'
import type { Desk } from '../../../state/desk.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { nameOf } from '../../../state/stores/session-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { byteSize, counted } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { Facts } from '../../../ui/notices/facts.tsx'
import { SettingLine } from '../setting-section.tsx'
import styles from '../settings.module.css'

/** Maximum number of sessions that are shown one by one. The others are added up. */
const MAX_SHOWN = 12

const sumOf = ({ events, blobs }: Weight): number => events + blobs

interface StorageUsageProps {
  /** Quota in bytes. Null if there is none. */
  readonly quota: number | null
  /** Whether an error of the store is already shown above this part. If so, this part shows no error of its own. */
  readonly isTroubleShown: boolean
}

/** What is stored, by project and session, and what can be freed. */
export function StorageUsage({ quota, isTroubleShown }: StorageUsageProps): ReactNode {
  const { report, trouble, done, clean, isCleaning } = useStorage()
  if (trouble && !report && isTroubleShown) return null
  if (trouble && !report) return <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />
  if (!report) return <p className="soft">Measuring…</p>
  const total = report.database + report.blobFiles + report.searchIndex
  return (
    <>
      <Facts
        facts={[
          { term: 'On disk', fact: `${byteSize(total)}${quota === null ? '' : ` of ${byteSize(quota)}`}` },
          { term: 'Database', fact: `${byteSize(report.database)}, of which ${byteSize(report.free)} empty` },
          { term: 'Larger contents', fact: byteSize(report.blobFiles) },
          { term: 'Search index', fact: byteSize(report.searchIndex) },
        ]}
      />
      {quota !== null && total > quota && <OverQuota report={report} over={total - quota} />}
      <SettingLine title="Clean up" words={cleanUpWords(report)}>
        <Button
          small
          busy={isCleaning}
          busyWord="Cleaning up"
          disabledReason={hasWaste(report) || isCleaning ? null : 'Nothing to remove'}
          onPress={clean}
        >
          Clean up
        </Button>
      </SettingLine>
      {done !== null && <p role="status">{done}</p>}
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {report.sessions.length === 0 ? (
        <p className="soft">No session is stored yet. The largest ones will be listed here.</p>
      ) : (
        <>
          <Projects report={report} />
          <Largest report={report} />
        </>
      )}
    </>
  )
}

/** Whether a clean-up would free anything. */
const hasWaste = ({ unreferenced, free }: StorageReport): boolean => unreferenced > 0 || free > 0

function cleanUpWords(report: StorageReport): string {
  const { unreferenced, free } = report
  if (!hasWaste(report)) return 'Everything that is stored belongs to a session, so there is nothing to remove now.'
  return `Removes ${unreferenced.toLocaleString('en-US')} bytes that no session needs, and frees ${byteSize(free)} of unused space in the database file. No session is deleted.`
}

function useStorage() {
  const desk = useDesk()
  const count = useStore(desk.list, ({ sessions }) => sessions.size)
  const [report, setReport] = useState<StorageReport | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const [isCleaning, setCleaning] = useState(false)
  const show = ({ report: found, trouble: failed }: Measured): void => {
    if (found) setReport(found)
    setTrouble(failed)
  }
  useEffect(() => {
    let isCurrent = true
    void measured(desk).then((found) => isCurrent && show(found))
    return () => {
      isCurrent = false
    }
  }, [desk, count])
  const clean = async (): Promise<void> => {
    setCleaning(true)
    const failed = await attemptRequest(desk, 'Nothing was cleaned up', async (client) => {
      const outcome = await client.storage.clean({})
      if (outcome.kind === 'refused') return { ok: false, trouble: outcome.trouble }
      setDone(`Removed ${outcome.freed.toLocaleString('en-US')} bytes. The database is ${byteSize(outcome.shrunk)} smaller.`)
      return { ok: true }
    })
    show(await measured(desk))
    if (failed) setTrouble(failed)
    setCleaning(false)
  }
  return { report, trouble, done, isCleaning, clean: () => void clean() }
}

interface Measured {
  readonly report: StorageReport | null
  readonly trouble: Trouble | null
}

async function measured(desk: Desk): Promise<Measured> {
  const found = await requestAnswer(desk, 'The storage was not measured', (client) => client.storage.measure({}))
  return found.ok ? { report: found.report, trouble: null } : { report: null, trouble: found.trouble }
}

/**
 * Shown when the quota is exceeded. A button offers to delete as many of the oldest sessions as necessary, except those that are pinned or
 * working.
 */
function OverQuota({ report, over }: { readonly report: StorageReport; readonly over: number }): ReactNode {
  const desk = useDesk()
  const sessions = useStore(desk.list, (list) => list.sessions)
  const pinned = useStore(desk.flags, (flags) => flags.pinned)
  const oldest = report.sessions
    .filter(({ sessionId }) => !pinned.has(sessionId) && sessions.get(sessionId)?.run === 'IDLE')
    .toSorted((a, b) => (sessions.get(a.sessionId)?.cursor ?? 0) - (sessions.get(b.sessionId)?.cursor ?? 0))
  const chosen: SessionId[] = []
  let left = over - report.free - report.unreferenced
  for (const { sessionId, weight } of oldest) {
    if (left <= 0) break
    chosen.push(sessionId)
    left -= sumOf(weight)
  }
  return (
    <SettingLine title={`${byteSize(over)} over the limit`} words={overQuotaWords(chosen.length, left)}>
      {chosen.length > 0 && (
        <Button small onPress={() => askToDelete(desk, chosen)}>
          Delete the oldest…
        </Button>
      )}
    </SettingLine>
  )
}

/** Says what would make room. `count` sessions can be deleted, and `left` bytes would then still be over the limit. */
export function overQuotaWords(count: number, left: number): string {
  if (count === 0)
    return left > 0 ? 'No session is left to delete that is neither pinned nor working. Set a higher limit.' : 'A clean-up is enough.'
  const sessions = count === 1 ? 'the oldest session that is' : `the ${count} oldest sessions that are`
  const room = left > 0 ? 'would not make enough room, so set a higher limit too' : 'would make room'
  return `Deleting ${sessions} neither pinned nor working ${room}. Nothing is deleted automatically.`
}

function Projects({ report }: { readonly report: StorageReport }): ReactNode {
  return (
    <section aria-label="By project">
      <h3 className="strong">By project</h3>
      <ul className={styles.usage}>
        {report.projects.map(({ folder, sessions, weight }) => (
          <li key={folder}>
            <span className="clip" data-tip={folder}>
              {nameOf(folder)}
            </span>
            <span className="meta">{counted(sessions, 'session')}</span>
            <span className="meta">{byteSize(sumOf(weight))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Largest({ report }: { readonly report: StorageReport }): ReactNode {
  const shown = report.sessions.slice(0, MAX_SHOWN)
  const more = report.sessions.slice(MAX_SHOWN)
  return (
    <section aria-label="Largest sessions">
      <h3 className="strong">Largest sessions</h3>
      <ul className={styles.usage}>
        {shown.map((one) => (
          <UsageRow key={one.sessionId} {...one} />
        ))}
      </ul>
      {more.length > 0 && (
        <p className="meta">
          {counted(more.length, 'more session')}, {byteSize(more.reduce((all, { weight }) => all + sumOf(weight), 0))}
        </p>
      )}
    </section>
  )
}

function UsageRow({ sessionId, folder, weight }: SessionWeight): ReactNode {
  const desk = useDesk()
  const title = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.title ?? '') || 'New session'
  const isPinned = useStore(desk.flags, ({ pinned }) => pinned.has(sessionId))
  return (
    <li>
      <span className="clip" data-tip={`${title}, in ${nameOf(folder)}`}>
        {title}
      </span>
      <span className="meta" data-tip={weight.shared > 0 ? `${byteSize(weight.shared)} more is shared with other sessions` : undefined}>
        {byteSize(sumOf(weight))}
      </span>
      <Button
        variant="quiet"
        small
        disabledReason={isPinned ? 'Pinned' : null}
        label={`Delete ${title}`}
        onPress={() => askToDelete(desk, [sessionId])}
      >
        Delete…
      </Button>
    </li>
  )
}
