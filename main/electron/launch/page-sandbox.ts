import { app } from 'electron'
import type { SystemTrouble } from '../../../shared/api/app.ts'

/**
 * Confines the processes of all pages. Must be called before the app is ready. Returns what to tell the user if the app was started with
 * `--no-sandbox`, as an AppImage does on a system that refuses the sandbox. Electron would then remove the switch, and the page's process
 * could not start.
 */
export function confinePages(): SystemTrouble | null {
  if (app.commandLine.hasSwitch('no-sandbox')) return UNCONFINED
  app.enableSandbox()
  return null
}

const UNCONFINED: SystemTrouble = {
  code: 'no_page_sandbox',
  title: 'Window not confined',
  what: 'This window runs without Chromium’s sandbox: Countersign was started with --no-sandbox. An AppImage adds this where the system forbids sandboxes.',
  kept: 'The page still loads nothing from outside. Whether commands run in copies does not depend on it.',
  todo: 'On Ubuntu 23.10 or newer, install the Debian package, which brings the profile that the system asks for. Elsewhere, allow user namespaces for this program and start it without --no-sandbox.',
}
