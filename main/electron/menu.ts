import { Menu, type MenuItemConstructorOptions } from 'electron'

/** Besides New Window and About, the menu contains only the system's commands. The page handles its own keyboard shortcuts. */
export function setMenu({
  isMac,
  devTools,
  newWindow,
  about,
}: {
  readonly isMac: boolean
  readonly devTools: boolean
  readonly newWindow: () => void
  readonly about: () => void
}): void {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
  const debug: MenuItemConstructorOptions[] = [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [{ label: 'New Window', click: newWindow }, { type: 'separator' }, isMac ? { role: 'close' } : { role: 'quit' }],
    },
    { role: 'editMenu' },
    { label: 'View', submenu: devTools ? [...view, ...debug] : view },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'About and Licenses', click: about }] },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
