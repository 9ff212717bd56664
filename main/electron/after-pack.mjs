import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { join } from 'node:path'

/**
 * The fuses of security 1, each stated, so that one that a new Electron adds stops the packaging until it is decided, too.
 * `RunAsNode` stays on until terminals live in a utility process: node-pty forks a helper with it on Windows.
 * @type {import('@electron/fuses').FuseV1Config}
 */
export const FUSES = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  [FuseV1Options.RunAsNode]: true,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
}

/**
 * Called by electron-builder when the app lies there whole and is not yet signed.
 * @param {{ readonly appOutDir: string, readonly electronPlatformName: string, readonly packager: { readonly appInfo: { readonly productFilename: string }, readonly executableName?: string } }} context
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const { productFilename } = packager.appInfo
  await flipFuses(join(appOutDir, programIn(electronPlatformName, productFilename, packager.executableName)), {
    ...FUSES,
    // Changing the program breaks the signature that Electron's own build for this processor comes with.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
  })
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
