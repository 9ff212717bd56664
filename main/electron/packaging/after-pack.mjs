import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every fuse is stated, so that a fuse added by a new Electron stops the packaging until it is decided. `RunAsNode` lets anybody who can
 * start the app run code with its identity, so it is off except on Windows, where node-pty needs it for a helper process.
 * @param {string} platform
 * @returns {import('@electron/fuses').FuseV1Config}
 */
export function fusesFor(platform) {
  return {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    [FuseV1Options.RunAsNode]: platform === 'win32',
    // The page has no cookies, and the key for them could make macOS ask for the keychain at each start.
    [FuseV1Options.EnableCookieEncryption]: false,
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
 * Called by electron-builder when the app is complete and not yet signed.
 * @param {{ readonly appOutDir: string, readonly electronPlatformName: string, readonly arch?: number, readonly packager: { readonly appInfo: { readonly productFilename: string }, readonly executableName?: string, readonly config?: { readonly publish?: unknown } } }} context
 */
export async function afterPack({ appOutDir, electronPlatformName, arch, packager }) {
  const missing = missingPrograms(appOutDir, electronPlatformName, ARCHITECTURES[arch ?? -1])
  if (missing.length > 0) throw new Error(`The package for ${electronPlatformName} lacks ${missing.join(', ')}. ${TO_DO}`)
  makeTerminalHelpersExecutable(appOutDir)
  if (electronPlatformName === 'linux') addUpdateKey(appOutDir, packager.config?.publish, process.env)
  const { productFilename } = packager.appInfo
  await flipFuses(join(appOutDir, programIn(electronPlatformName, productFilename, packager.executableName)), {
    ...fusesFor(electronPlatformName),
    // Changing the program invalidates the signature of Electron's own build for this processor.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
  })
}

/**
 * Adds the key with which the app verifies the update feed, because Linux does not verify the signature of an AppImage.
 * @param {string} folder
 * @param {unknown} publish electron-builder's option: where updates come from
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function addUpdateKey(folder, publish, { COUNTERSIGN_UPDATE_PUBLIC_KEY: key }) {
  if (key) writeFileSync(join(folder, 'resources', 'update-key.pem'), key)
  else if (publish)
    throw new Error('A package for Linux with an update feed needs COUNTERSIGN_UPDATE_PUBLIC_KEY, or it would refuse every update.')
}

/** The numbers that electron-builder uses. */
const ARCHITECTURES = ['ia32', 'x64', 'armv7l', 'arm64']

const TO_DO =
  'npm installs ripgrep only for the machine that it runs on: package on that platform, or first install the missing package with "npm install --no-save --force".'

/**
 * The platform's programs that are missing in the packaged app, which may have been built on another platform. Nothing is checked without an
 * architecture: a universal macOS app is joined from two apps that were checked.
 * @param {string} folder
 * @param {string} platform
 * @param {string | undefined} arch
 * @returns {string[]}
 */
export function missingPrograms(folder, platform, arch) {
  if (arch === undefined) return []
  const system = platform === 'mas' ? 'darwin' : platform
  const [program, terminal] = system === 'win32' ? ['rg.exe', 'conpty.node'] : ['rg', 'pty.node']
  const prebuilt = system === 'linux' ? `node-pty/build/Release/${terminal}` : `node-pty/prebuilds/${system}-${arch}/${terminal}`
  const wanted = [`@vscode/ripgrep-${system}-${arch}/bin/${program}`, `better-sqlite3/prebuilds/${system}-${arch}.node`, prebuilt]
  const there = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  return wanted.filter((file) => !there.some((path) => path.endsWith(`app.asar.unpacked/node_modules/${file}`)))
}

/**
 * node-pty's package contains a macOS helper that is not executable, without which no terminal starts.
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
