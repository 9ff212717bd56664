import { app } from 'electron'
import type { AppUpdater, UpdateInfo } from 'electron-updater'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../../shared/lib/local-hosts.ts'
import { isSigned } from './feed-signature.mjs'

/** Where updates come from and how they are installed. All methods but `install` reject with a readable error. */
export interface UpdateSource {
  /** Returns the version that the feed offers to this installation. Null if it offers none. */
  look(): Promise<{ readonly version: string } | null>
  /** Downloads the version that `look` found. `onPercent` gets whole percents. */
  download(onPercent: (percent: number) => void): Promise<void>
  /** Replaces the app with the downloaded version and then quits Electron. Throws if the app was not replaced. */
  install(startAgain: boolean): void
}

/** How this installation is updated: by the app itself, by the system's package manager, or not at all (`why`: the reason as a sentence). */
export type UpdateMeans = { readonly kind: 'itself' } | { readonly kind: 'package' } | { readonly kind: 'none'; readonly why: string }

export interface Installation {
  readonly platform: string
  readonly isPackaged: boolean
  /** The folder with `app-update.yml`, which names the feed. */
  readonly resources: string
  /** The AppImage from which the app runs. */
  readonly appImage: string | undefined
}

/** electron-builder writes `app-update.yml` if the build was given a feed, and `package-type` into a deb and an rpm. */
export function updateMeans({ platform, isPackaged, resources, appImage }: Installation): UpdateMeans {
  if (!isPackaged) return { kind: 'none', why: 'Countersign runs from its source, so it is updated with git.' }
  const feed = join(resources, 'app-update.yml')
  if (!existsSync(feed)) return { kind: 'none', why: 'This build has no update feed, so new versions must be downloaded by hand.' }
  // Without a publisher name, electron-updater would install any program from the feed.
  if (platform === 'win32' && !/^publisherName:/mu.test(readFileSync(feed, 'utf8')))
    return { kind: 'none', why: 'This build is not signed, so new versions cannot be verified and must be downloaded by hand.' }
  if (platform !== 'linux' || appImage !== undefined) return { kind: 'itself' }
  if (existsSync(join(resources, 'package-type'))) return { kind: 'package' }
  return { kind: 'none', why: 'This installation was unpacked by hand, so new versions must be unpacked by hand too.' }
}

/** The public key that verifies updates of an AppImage. Windows and macOS verify the signatures of programs themselves. */
const KEY_FILE = 'update-key.pem'

/** An update source that uses electron-updater, which is loaded on first use. */
export function electronUpdaterSource(resources: string, means: UpdateMeans, platform: string): UpdateSource {
  let loaded: AppUpdater | null = null
  const updater = async (): Promise<AppUpdater> => {
    loaded ??= configured((await import('electron-updater')).default.autoUpdater)
    return loaded
  }
  return {
    async look() {
      const found = await (await updater()).checkForUpdates()
      if (!found?.isUpdateAvailable) return null
      if (platform === 'linux' && means.kind === 'itself') checkSignature(found.updateInfo, join(resources, KEY_FILE))
      return { version: found.updateInfo.version }
    },
    async download(onPercent) {
      const from = await updater()
      const tell = ({ percent }: { readonly percent: number }): void => onPercent(Math.floor(percent))
      from.on('download-progress', tell)
      try {
        await from.downloadUpdate()
      } finally {
        from.off('download-progress', tell)
      }
    },
    install(startAgain) {
      const failures: Error[] = []
      loaded?.once('error', (error) => failures.push(error))
      // The new instance could otherwise find the lock of this one.
      app.releaseSingleInstanceLock()
      // On macOS, only this property decides whether the app starts again.
      if (loaded) loaded.autoRunAppAfterInstall = startAgain
      loaded?.quitAndInstall(true, startAgain)
      if (failures[0] !== undefined) throw failures[0]
    },
  }
}

function configured(updater: AppUpdater): AppUpdater {
  updater.autoDownload = false
  // The app calls `install` after it has closed everything.
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.logger = null
  // `lockSession` blocks all requests of every new session. This session belongs to the updater and may download updates.
  updater.netSession.webRequest.onBeforeRequest(({ url }, callback) => callback({ cancel: !mayDownload(url) }))
  // Without a listener, Node would end the process. Each call reports its own failure.
  updater.on('error', () => {})
  return updater
}

/** Updates may be downloaded over TLS, or from this computer. */
const mayDownload = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
}

function checkSignature(info: UpdateInfo & { readonly signature?: unknown }, keyFile: string): void {
  if (!existsSync(keyFile)) throw new Error('This build has no key to verify updates.')
  if (!isSigned(info, info.signature, readFileSync(keyFile, 'utf8'))) throw new Error(`The signature of version ${info.version} is wrong.`)
}
