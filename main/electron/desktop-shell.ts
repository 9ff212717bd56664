import { app, dialog } from 'electron'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SystemTrouble } from '../../shared/api/app.ts'
import type { Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Contract } from '../../shared/wire/contract.ts'
import { type CrashReports, crashReports } from './crash-report.ts'
import { type AppPlan, DeskWindows, type DesktopApp } from './desk-windows.ts'
import type { SecondStart } from './launch/deep-link.ts'
import { desktopFlags } from './launch/desktop-flags.ts'
import { takeInstanceLock } from './launch/instance-lock.ts'
import { useKeyStore } from './launch/password-store.ts'
import { type UpdateMeans, updateMeans } from './updates/electron-updater-source.ts'
import { registerPageScheme } from './page/page-protocol.ts'

/**
 * The `appId` in electron-builder.yml. The Windows system shows notifications only from an app whose id equals the id of its shortcut. On
 * other systems the id has no effect.
 */
export const APP_ID = 'app.countersign.desktop'

export interface DesktopShellParts<C extends Contract> {
  readonly argv: readonly string[]
  readonly pageFolder: string
  readonly preload: string
  /** Returns the data folder, which is created if necessary. */
  readonly dataFolder: (data: string | null) => Result<string, Trouble>
  readonly createApp: (plan: AppPlan) => Promise<Result<DesktopApp<C>, Trouble>>
}

const WRONG_SANDBOX: Trouble = {
  code: 'invalid_arguments',
  what: 'The value of --sandbox must be auto or off.',
  kept: 'Nothing was changed.',
  todo: 'Start Countersign again with one of these values, or without --sandbox.',
}

/**
 * The desktop shell. Some calls must be made before Electron is ready (sandbox, scheme, profile folder, single-instance lock), so nothing
 * is awaited in this function.
 */
export function startDesktopShell<C extends Contract>(parts: DesktopShellParts<C>): void {
  app.setAppUserModelId(APP_ID)
  const unconfined = confinePages()
  useKeyStore(process.env)
  registerPageScheme()
  const flags = desktopFlags(parts.argv, process.cwd())
  const folder = parts.dataFolder(flags.data)
  if (!folder.ok) return giveUp(folder.failure)
  if (flags.sandbox === null || flags.sandbox === 'require') return giveUp(WRONG_SANDBOX)
  // Chromium's files and the single-instance lock are in the data folder, so each data folder has its own instance.
  const profile = join(folder.value, 'desktop')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
  const asked: SecondStart = { show: flags.link ?? (flags.folder === null ? null : { kind: 'folder', folder: flags.folder }) }
  const lock = takeInstanceLock(profile, asked)
  if (lock.kind === 'running') return app.quit()
  if (lock.kind === 'elsewhere') return giveUp(inUseOn(lock.host, profile))
  const reports = crashReports(folder.value, app.getVersion())
  surviveBugs(reports)
  const desk = new DeskWindows({
    ...parts,
    dataFolder: folder.value,
    profile,
    updates: updatesHere(),
    sandbox: flags.sandbox,
    unconfined,
    reports,
  })
  desk.listen()
  desk.open(flags.folder, flags.link).then(
    (trouble) => trouble && giveUp(trouble),
    (error: unknown) => {
      reports.write(error, 'start')
      giveUp({
        code: 'internal',
        what: `Startup failed: ${String(error)}`,
        kept: 'Your sessions were not changed.',
        todo: 'Start Countersign again.',
      })
    },
  )
}

/**
 * Confines the processes of all pages. Must be called before the app is ready. Returns what to tell the user if the app was started with
 * `--no-sandbox`, as an AppImage does on a system that refuses the sandbox. Electron would then remove the switch, and the page's process
 * could not start.
 */
function confinePages(): SystemTrouble | null {
  if (app.commandLine.hasSwitch('no-sandbox')) return UNCONFINED
  app.enableSandbox()
  return null
}

const updatesHere = (): UpdateMeans =>
  updateMeans({
    platform: process.platform,
    isPackaged: app.isPackaged,
    resources: process.resourcesPath,
    appImage: process.env['APPIMAGE'],
  })

const UNCONFINED: SystemTrouble = {
  code: 'no_page_sandbox',
  title: 'Window not confined',
  what: 'This window runs without Chromium’s sandbox: Countersign was started with --no-sandbox. An AppImage adds this where the system forbids sandboxes.',
  kept: 'The page still loads nothing from outside. Whether commands run in copies does not depend on it.',
  todo: 'On Ubuntu 23.10 or newer, install the Debian package, which brings the profile that the system asks for. Elsewhere, allow user namespaces for this program and start it without --no-sandbox.',
}

const inUseOn = (host: string, profile: string): Trouble => ({
  code: 'in_use',
  what: `The data folder is in use on another computer (${host}), or Countersign was killed there.`,
  kept: 'Nothing was changed.',
  todo: `Quit Countersign on ${host}. If it is not running there, remove ${join(profile, 'SingletonLock')}.`,
})

/** Writes unexpected errors to a report and keeps the app running. */
function surviveBugs(reports: CrashReports): void {
  process.on('uncaughtException', (error) => reports.write(error, 'uncaught exception'))
  process.on('unhandledRejection', (error) => reports.write(error, 'unhandled rejection'))
}

function giveUp({ what, kept, todo }: Trouble): void {
  dialog.showErrorBox('Countersign cannot start', [what, kept, todo].join('\n\n'))
  app.exit(1)
}
