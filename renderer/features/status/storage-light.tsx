import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { isDamage } from '../../../shared/api/doctor.ts'
import { showDoctor } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import { Dot } from '../../ui/marks/dot.tsx'
import styles from './status.module.css'

/**
 * Shows how many sessions are on disk, how many are in the list, and how many are readable. Green if the last check found no damage and all
 * sessions on disk are listed, amber if it found damage or sessions are not listed. A click opens the doctor's page. Renders nothing after
 * an error of the store, if there are no sessions, and while disconnected, because the state is then unknown.
 */
export function StorageLight(): ReactNode {
  const desk = useDesk()
  const health = useStore(desk.app, (app) => app.health)
  const doctor = useStore(desk.doctor, (state) => state.doctor)
  // A session that was deleted after the check no longer counts as unreadable.
  const unreadable = useStore(desk.list, ({ sessions }) => doctor?.report?.unreadable.filter((id) => sessions.has(id)).length ?? 0)
  const isConnected = useStore(desk.connection.state, ({ kind }) => kind === 'open')
  if (!isConnected || !health || !doctor || health.trouble !== null || health.onDisk === 0) return null
  const { onDisk, listed } = health
  const { report, running } = doctor
  const readable = report && onDisk - unreadable
  const isSound = onDisk === listed && (readable ?? onDisk) === onDisk && !(report?.findings.some(isDamage) ?? false)
  const last = readable === null ? (running ? 'checking' : 'not checked yet') : `${readable} readable`
  const tip = isSound
    ? 'Sessions on disk, sessions in the list, and sessions read without an error at the last check. Click for details.'
    : 'The last check found damage. Click to see what it is and what to do.'
  return (
    <StatusItem tone={isSound ? 'plain' : 'needs'} optional={isSound}>
      <Dot state={isSound ? (readable === null ? 'idle' : 'proven') : 'needs'} silent />
      <button type="button" className={styles.way} data-tip={tip} onClick={() => showDoctor(desk)}>
        <span className="num">{`${onDisk} on disk · ${listed} listed · ${last}`}</span>
      </button>
    </StatusItem>
  )
}
