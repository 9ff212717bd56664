import { useEffect, useState } from 'react'

/** The notification permission of this page: `missing` without browser support, `default` until the user has decided. */
export type PagePermission = NotificationPermission | 'missing'

const now = (): PagePermission => (typeof Notification === 'undefined' ? 'missing' : Notification.permission)

/** The current permission, updated when the browser settings change, and a function that asks for it. */
export function useNotificationPermission(): { readonly permission: PagePermission; readonly ask: () => void } {
  const [permission, setPermission] = useState(now)
  useEffect(() => {
    const look = (): void => setPermission(now())
    let status: PermissionStatus | null = null
    let isGone = false
    void navigator.permissions.query({ name: 'notifications' }).then(
      (found) => {
        if (isGone) return
        status = found
        status.addEventListener('change', look)
      },
      // Without change events, the permission is read again when the settings are opened.
      () => {},
    )
    return () => {
      isGone = true
      status?.removeEventListener('change', look)
    }
  }, [])
  const ask = (): void => {
    if (now() === 'default') void Notification.requestPermission().then(() => setPermission(now()))
  }
  return { permission, ask }
}
