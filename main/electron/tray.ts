import { Menu, Tray, app, nativeImage } from 'electron'
import { join } from 'node:path'

export interface TrayCommands {
  readonly open: () => void
  readonly quit: () => void
}

/** In pixels. Linux desktops show about this size, and Windows scales it. */
const SIZE = 24

/** The icon in the system tray while the app runs without a window. Null if the system refuses one. */
export function openTray({ open, quit }: TrayCommands, onFailure: (error: unknown) => void): Tray | null {
  try {
    const icon = nativeImage.createFromPath(join(app.getAppPath(), 'main', 'electron', 'packaging', 'icon.png'))
    const tray = new Tray(icon.resize({ width: SIZE, height: SIZE }))
    tray.setToolTip('Countersign is running')
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Countersign', click: open },
        { label: 'Quit', click: quit },
      ]),
    )
    tray.on('click', open)
    return tray
  } catch (error) {
    onFailure(error)
    return null
  }
}
