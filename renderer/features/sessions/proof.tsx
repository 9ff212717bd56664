import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useDesk } from '../../state/desk-context.ts'
import { counted } from '../../ui/format.ts'
import { Dot } from '../../ui/marks/dot.tsx'
import styles from './sessions.module.css'

/** What lies on disk beside what is listed: a history that vanishes would show here. */
export function Proof(): ReactNode {
  const desk = useDesk()
  const health = useStore(desk.app, (app) => app.health)
  const isConnected = useStore(desk.connection.state, ({ kind }) => kind === 'open')
  // of the person's own: subagents are saved as well, and listed below the one that sent them
  const own = useStore(desk.list, ({ sessions }) => [...sessions.values()].filter(({ parent }) => parent === null).length)
  if (!health) return null
  // what was so a while ago proves nothing now
  if (!isConnected)
    return (
      <p className={styles.proof}>
        <Dot state="failed" word="Not known while the connection is lost" />
        Not known while not connected
      </p>
    )
  const isSound = health.trouble === null && health.onDisk === health.listed
  if (isSound && own === 0) return null
  return (
    <p className={styles.proof}>
      <Dot state={isSound ? 'proven' : 'failed'} word={isSound ? 'All on disk' : 'Not all is on disk and listed'} />
      {isSound
        ? `${counted(own, 'session')}, all saved on disk`
        : `${counted(health.listed, 'session')} in the list, ${health.onDisk} on disk`}
    </p>
  )
}
