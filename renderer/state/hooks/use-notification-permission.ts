import { useEffect, useState } from 'react'

/** Whether this page may show notifications: `missing` where the browser has none, `default` while nobody has been asked. */
export type PagePermission = NotificationPermission | 'missing'

const now = (): PagePermission => (typeof Notification === 'undefined' ? 'missing' : Notification.permission)

/** The permission as it stands, also when the person changes it in the browser's own settings, and a way to ask for it after a click. */
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
      // a browser that does not tell of changes is looked at again when the settings are opened
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
