import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../../shared/api/app.ts'

export interface MenuParts {
  readonly isMac: boolean
  readonly devTools: boolean
  /** The recently opened folders, newest first. */
  readonly recent: readonly string[]
  readonly newWindow: () => void
  readonly open: (folder: string) => void
  readonly about: () => void
  /** Shows the folder of the crash reports. */
  readonly logs: () => void
  /** Runs a command of the page in the window at the front. */
  readonly run: (command: MenuCommand) => void
}

/**
 * The application menu. The page handles its own keys, which the user can change, so its commands have none here. On macOS, About and
 * Settings are in the menu with the app's name.
 */
export function setMenu({ isMac, devTools, recent, newWindow, open, about, logs, run }: MenuParts): void {
  const aboutItem: MenuItemConstructorOptions = { label: 'About Countersign', click: about }
  const settings: MenuItemConstructorOptions = { label: 'Settings…', click: () => run('settings') }
  const line: MenuItemConstructorOptions = { type: 'separator' }
  const appMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      aboutItem,
      line,
      settings,
      line,
      { role: 'services' },
      line,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      line,
      { role: 'quit' },
    ],
  }
  const file: MenuItemConstructorOptions[] = [
    { label: 'New Window', accelerator: 'CommandOrControl+Shift+N', click: newWindow },
    { label: 'Open Folder…', click: () => run('folder') },
    {
      label: 'Open Recent',
      enabled: recent.length > 0,
      submenu: recent.map((folder) => ({ label: withoutMnemonic(folder), click: () => open(folder) })),
    },
    line,
    { label: 'Find in All Sessions…', click: () => run('history') },
    line,
    ...(isMac ? [{ role: 'close' } as const] : [settings, line, { role: 'quit' } as const]),
  ]
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    line,
    { role: 'togglefullscreen' },
  ]
  const debug: MenuItemConstructorOptions[] = [line, { role: 'reload' }, { role: 'toggleDevTools' }]
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [appMenu] : []),
    { label: 'File', submenu: file },
    { role: 'editMenu' },
    { label: 'View', submenu: devTools ? [...view, ...debug] : view },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [{ label: 'All Keys', click: () => run('keys') }, { label: 'Show Logs', click: logs }, ...(isMac ? [] : [line, aboutItem])],
    },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** In a label, a single & underlines the letter after it. */
const withoutMnemonic = (text: string): string => text.replaceAll('&', '&&')
