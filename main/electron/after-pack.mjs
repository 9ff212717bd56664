import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every fuse is stated, so that one that a new Electron adds stops the packaging until it is decided. `RunAsNode` lets anybody who can start
 * the app run code with its identity, so it is off but on Windows, where node-pty forks a helper with it.
 * @param {string} platform
 * @returns {import('@electron/fuses').FuseV1Config}
 */
export function fusesFor(platform) {
  return {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    [FuseV1Options.RunAsNode]: platform === 'win32',
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    [FuseV1Options.WasmTrapHandlers]: true,
  }
}

/**
 * Called by electron-builder when the app lies there whole and is not yet signed.
 * @param {{ readonly appOutDir: string, readonly electronPlatformName: string, readonly packager: { readonly appInfo: { readonly productFilename: string }, readonly executableName?: string } }} context
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  makeTerminalHelpersExecutable(appOutDir)
  const { productFilename } = packager.appInfo
  await flipFuses(join(appOutDir, programIn(electronPlatformName, productFilename, packager.executableName)), {
    ...fusesFor(electronPlatformName),
    // Changing the program breaks the signature that Electron's own build for this processor comes with.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
  })
}

/**
 * node-pty's package brings its macOS helper without the right to be run, and then no terminal starts.
 * @param {string} folder
 */
function makeTerminalHelpersExecutable(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name === 'spawn-helper') chmodSync(join(entry.parentPath, entry.name), 0o755)
}

/**
 * @param {string} platform
 * @param {string} product
 * @param {string | undefined} executable
 */
function programIn(platform, product, executable) {
  switch (platform) {
    case 'darwin':
    case 'mas':
      return `${product}.app`
    case 'win32':
      return `${product}.exe`
    default:
      return executable ?? product
  }
}
