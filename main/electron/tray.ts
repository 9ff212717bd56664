import { Menu, Tray, app, nativeImage } from 'electron'
import { join } from 'node:path'

export interface TrayCommands {
  readonly open: () => void
  readonly quit: () => void
}

export interface TrayIcon {
  /** Shows how many sessions wait for the user. */
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
        const label = waiting === 0 ? 'Countersign is running' : `Countersign: ${waitingWords(waiting)}`
        tray.setToolTip(label)
        // Many Linux desktops show no tooltip, so the menu has the same text.
        tray.setContextMenu(
          Menu.buildFromTemplate([
            { label, enabled: false },
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
