import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALL_PARTS } from '../../bootstrap/build.mjs'
import { ROOT } from '../../bootstrap/places.mjs'
import { removeOldFiles } from '../../bootstrap/put-in-place.mjs'

/**
 * Called by electron-builder before it collects the app's files.
 * @param {{ readonly electronPlatformName: string, readonly packager: { readonly platformSpecificBuildOptions: { identity?: string | null } } }} context
 */
export function beforePack({ electronPlatformName, packager }) {
  removeOldBuilds()
  if (electronPlatformName === 'darwin') signWithoutCertificate(packager.platformSpecificBuildOptions, process.env)
}

/** Removes files of older builds. Also run by `npm pack`. */
function removeOldBuilds() {
  for (const part of ALL_PARTS) if (existsSync(join(ROOT, 'dist', part))) removeOldFiles(join(ROOT, 'dist', part))
}

/**
 * macOS shows notifications only of signed apps. Without a certificate, the app gets a signature without an identity (ad hoc); electron-builder
 * would leave it unsigned.
 * @param {{ identity?: string | null }} options
 * @param {Readonly<Record<string, string | undefined>>} env electron-builder's variables for a certificate
 */
export function signWithoutCertificate(options, { CSC_LINK, CSC_NAME }) {
  if (!CSC_LINK && !CSC_NAME) options.identity = '-'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) removeOldBuilds()
