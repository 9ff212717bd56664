import { BrowserWindow, Notification, type OpenDialogOptions, dialog, shell } from 'electron'
import type { Host, Note, Updates } from '../host.ts'
import type { Secrets } from '../settings/secrets.ts'
import type { DeepLink } from './launch/deep-link.ts'
import type { SystemTrouble } from '../../shared/api/app.ts'
import type { QuitQuestions } from '../quit-questions.ts'
import type { SystemTroubleList } from '../system-troubles.ts'
import { realPathInFolders } from '../environment/real-folders.ts'

export interface DesktopHostParts {
  readonly secrets: Secrets
  readonly systemTroubles: SystemTroubleList
  readonly quitQuestions: QuitQuestions
  readonly updates: Updates
  readonly openLink: Host['openLink']
  /** Brings a window to the front and shows something in the window. */
  readonly show: (what: DeepLink | null) => void
}

/** The functions that the desktop has and a browser does not. */
export function desktopHost({ secrets, systemTroubles, quitQuestions, updates, openLink, show }: DesktopHostParts): Host {
  return {
    shell: 'desktop',
    capabilities: {
      folderDialog: true,
      notifications: Notification.isSupported(),
      reveal: true,
    },
    secrets,
    systemTroubles,
    quitQuestions,
    updates,
    pickFolder,
    async reveal(path, openFolders) {
      const real = await realPathInFolders(path, openFolders)
      if (real !== null) shell.showItemInFolder(real)
      return real !== null
    },
    openLink,
    notify: (note) => notify(note, systemTroubles, show),
  }
}

async function pickFolder(): Promise<string | null> {
  const options: OpenDialogOptions = { title: 'Open a project folder', properties: ['openDirectory', 'createDirectory'] }
  const window = BrowserWindow.getFocusedWindow()
  const { canceled, filePaths } = await (window?.isVisible() ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
  return canceled ? null : (filePaths[0] ?? null)
}

const onScreen = new Set<Notification>()

function notify({ title, body, sessionId }: Note, troubles: SystemTroubleList, show: (what: DeepLink | null) => void): void {
  if (!Notification.isSupported() || BrowserWindow.getFocusedWindow() !== null) return
  const shown = new Notification({ title, body })
  // Without this reference, the notification could be garbage collected, and a click on it would be lost.
  onScreen.add(shown)
  const gone = (): boolean => onScreen.delete(shown)
  shown.on('close', gone)
  shown.on('failed', (_event, why) => {
    gone()
    troubles.add(noNotifications(why))
  })
  shown.on('show', () => troubles.remove(NO_NOTIFICATIONS))
  shown.on('click', () => {
    gone()
    show({ kind: 'session', sessionId })
  })
  shown.show()
}

const NO_NOTIFICATIONS = 'no_notifications'

const noNotifications = (why: string): SystemTrouble => ({
  code: NO_NOTIFICATIONS,
  title: 'Notifications refused',
  what: `The system did not show a notification: ${why}`,
  kept: 'The list of sessions still shows what needs you.',
  todo: 'Allow notifications of Countersign in the settings of the system. macOS shows them only of a signed app.',
})
