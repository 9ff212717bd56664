import { Menu, Tray, app, nativeImage } from 'electron'
import { join } from 'node:path'

export interface TrayCommands {
  readonly open: () => void
  readonly quit: () => void
}

export interface TrayIcon {
  /** Says how many sessions wait for the user. */
  show(waiting: number): void
  remove(): void
}

/** In pixels. Linux desktops show about this size, and Windows scales it. */
const SIZE = 24

/** The icon in the system tray while the app runs without a window. Null if the system refuses one. */
export function openTray({ open, quit }: TrayCommands, onFailure: (error: unknown) => void): TrayIcon | null {
  try {
    const icon = nativeImage.createFromPath(join(app.getAppPath(), 'main', 'electron', 'packaging', 'icon.png'))
    const tray = new Tray(icon.resize({ width: SIZE, height: SIZE }))
    tray.on('click', open)
    return {
      show(waiting) {
        const words = waiting === 0 ? 'Countersign is running' : `Countersign: ${waitingWords(waiting)}`
        tray.setToolTip(words)
        // Many Linux desktops show only the menu, so it says the same.
        tray.setContextMenu(
          Menu.buildFromTemplate([
            { label: words, enabled: false },
            { type: 'separator' },
            { label: 'Open Countersign', click: open },
            { label: 'Quit', click: quit },
          ]),
        )
      },
      remove: () => tray.destroy(),
    }
  } catch (error) {
    onFailure(error)
    return null
  }
}

const waitingWords = (count: number): string => (count === 1 ? 'one session needs you' : `${count} sessions need you`)
