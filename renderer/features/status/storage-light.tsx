import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { isDamage } from '../../../shared/api/doctor.ts'
import { showDoctor } from '../../state/commands/actions.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import { Dot } from '../../ui/marks/dot.tsx'
import styles from './status.module.css'

/**
 * Shows how many sessions are on disk, how many are in the list, and how many are readable, if the last check found damage or sessions are
 * not listed. A click opens the doctor's page. Renders nothing if storage is well, and after an error of the store or while disconnected,
 * because the state is then unknown.
 */
export function StorageLight(): ReactNode {
  const desk = useDesk()
  const health = useStore(desk.app, (app) => app.health)
  const doctor = useStore(desk.doctor, (state) => state.doctor)
  // A session that was deleted after the check no longer counts as unreadable.
  const unreadable = useStore(desk.list, ({ sessions }) => doctor?.report?.unreadable.filter((id) => sessions.has(id)).length ?? 0)
  const isConnected = useIsConnected()
  if (!isConnected || !health || !doctor || health.trouble !== null || health.onDisk === 0) return null
  const { onDisk, listed } = health
  const { report, running } = doctor
  const readable = report && onDisk - unreadable
  const isSound = onDisk === listed && (readable ?? onDisk) === onDisk && !(report?.findings.some(isDamage) ?? false)
  if (isSound) return null
  const last = readable === null ? (running ? 'checking' : 'not checked yet') : `${readable} readable`
  return (
    <StatusItem tone="needs">
      <Dot state="needs" silent />
      <button
        type="button"
        className={styles.way}
        data-tip="Some sessions are damaged or missing from the list. Click to see what it is and what to do."
        onClick={() => showDoctor(desk)}
      >
        <span className="num">{`${onDisk} on disk · ${listed} listed · ${last}`}</span>
      </button>
    </StatusItem>
  )
}
