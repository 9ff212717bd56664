import { app } from 'electron'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

/** The desktops for which Chromium chooses a key store itself, as they name themselves in XDG_CURRENT_DESKTOP. */
const KNOWN = /^(?:cinnamon|x-cinnamon|deepin|gnome.*|kde|pantheon|ukui|unity|xfce)$/i

/**
 * On any other desktop (sway, i3, Hyprland), Chromium encrypts keys with a password that everybody knows, although a key store may be
 * there. If the session's bus can start one, it is used. Must be called before the app is ready.
 */
export function useKeyStore(env: Variables, platform: string = process.platform): void {
  if (platform !== 'linux' || app.commandLine.hasSwitch('password-store')) return
  if ((env['XDG_CURRENT_DESKTOP'] ?? '').split(':').some((name) => KNOWN.test(name))) return
  if (hasBus(env) && dataFolders(env).some(offersKeyStore)) app.commandLine.appendSwitch('password-store', 'gnome-libsecret')
}

function hasBus({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime }: Variables): boolean {
  return Boolean(address) || (Boolean(runtime) && existsSync(join(runtime ?? '', 'bus')))
}

function dataFolders(env: Variables): readonly string[] {
  const own = env['XDG_DATA_HOME'] || join(env['HOME'] ?? '/', '.local', 'share')
  return [own, ...(env['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':')]
}

/** Whether a D-Bus service file in this folder provides a key store (a Secret Service). */
function offersKeyStore(folder: string): boolean {
  try {
    const services = join(folder, 'dbus-1', 'services')
    return readdirSync(services).some((name) => /^Name=org\.freedesktop\.secrets\s*$/m.test(readFileSync(join(services, name), 'utf8')))
  } catch {
    // A missing folder or a broken link provides none.
    return false
  }
}
