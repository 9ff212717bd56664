import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { showStorage } from '../../state/commands/actions.ts'
import { useDesk, useIsConnected } from '../../state/desk-context.ts'
import { byteSize } from '../../ui/format.ts'
import { StatusItem } from '../../ui/frame/status-strip.tsx'
import styles from './status.module.css'

/** Interval between measurements of the size, in ms. */
const LOOK_EVERY_MS = 10 * 60_000

/**
 * Says that the sessions use more disk space than the user allows, and opens the settings where space can be freed. Renders nothing
 * without a limit.
 */
export function StorageQuotaItem(): ReactNode {
  const desk = useDesk()
  const quota = useStore(desk.settings, (state) => state.settings?.settings.storageQuota ?? 0)
  const bytes = useBytesOnDisk(quota > 0)
  if (quota === 0 || bytes === null || bytes <= quota) return null
  return (
    <StatusItem tone="needs">
      <button
        type="button"
        className={styles.way}
        data-tip="Opens the settings, where you can clean up or delete sessions. Nothing is deleted automatically."
        onClick={() => showStorage(desk)}
      >
        History <span className="num">{`${byteSize(bytes)} of ${byteSize(quota)}`}</span>
      </button>
    </StatusItem>
  )
}

/**
 * The size on disk in bytes, measured at the start, when a session is added or removed, and every ten minutes. Null if it was not
 * measured.
 */
function useBytesOnDisk(isWanted: boolean): number | null {
  const desk = useDesk()
  const count = useStore(desk.list, ({ sessions }) => sessions.size)
  const isConnected = useIsConnected()
  const [bytes, setBytes] = useState<number | null>(null)
  useEffect(() => {
    if (!isWanted || !isConnected) return
    let isCurrent = true
    const look = (): void => {
      desk.connection.client?.storage.size({}).then(
        (found) => isCurrent && setBytes(found.ok ? found.bytes : null),
        () => {},
      )
    }
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [desk, isWanted, isConnected, count])
  return bytes
}
