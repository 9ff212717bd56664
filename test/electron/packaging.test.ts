import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addUpdateKey, afterPack, fusesFor, missingPrograms } from '../../main/electron/packaging/after-pack.mjs'
import { signWithoutCertificate } from '../../main/electron/packaging/before-pack.mjs'
import { isSigned } from '../../main/electron/updates/feed-signature.mjs'
import { VERSION } from '../../main/version.ts'
import { fakeProgram } from './fake-distribution.ts'

const root = new URL('../../', import.meta.url)
const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  version: string
  main: string
  productName: string
  desktopName: string
  devDependencies: Record<string, string>
}

describe('packaging', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-fuses-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it.each([
    ['linux', 'countersign', { appInfo: { productFilename: 'Countersign' }, executableName: 'countersign' }],
    ['win32', 'Countersign.exe', { appInfo: { productFilename: 'Countersign' } }],
    [
      'mas',
      'Countersign.app/Contents/Frameworks/Electron Framework.framework/Electron Framework',
      { appInfo: { productFilename: 'Countersign' } },
    ],
  ])(
    'row 19: every fuse of the program for %s is set as decided (by a program that contains only fuses)',
    async (platform, program, packager) => {
      await mkdir(join(folder, program, '..'), { recursive: true })
      await fakeProgram(join(folder, program))
      await afterPack({ appOutDir: folder, electronPlatformName: platform, packager })
      const { version, ...wire } = await getCurrentFuseWire(platform === 'mas' ? join(folder, 'Countersign.app') : join(folder, program))
      const named = Object.fromEntries(
        Object.entries(wire).map(([fuse, state]) => [FuseV1Options[Number(fuse)], state === FuseState.ENABLE]),
      )
      expect([version, named]).toEqual([
        '1',
        {
          RunAsNode: platform === 'win32',
          EnableCookieEncryption: false,
          EnableNodeOptionsEnvironmentVariable: false,
          EnableNodeCliInspectArguments: false,
          EnableEmbeddedAsarIntegrityValidation: true,
          OnlyLoadAppFromAsar: true,
          LoadBrowserProcessSpecificV8Snapshot: false,
          GrantFileProtocolExtraPrivileges: false,
          WasmTrapHandlers: true,
        },
      ])
    },
  )

  it('macOS: the terminal helper is made executable, because its package does not do so', async () => {
    const helper = join(
      folder,
      'Countersign.app/Contents/Resources/app.asar.unpacked/node_modules/node-pty/prebuilds/darwin-arm64/spawn-helper',
    )
    await mkdir(join(helper, '..'), { recursive: true })
    await copyFile(new URL('node_modules/node-pty/prebuilds/darwin-arm64/spawn-helper', root), helper)
    await chmod(helper, 0o644)
    const program = join(folder, 'Countersign.app/Contents/Frameworks/Electron Framework.framework/Electron Framework')
    await mkdir(join(program, '..'), { recursive: true })
    await fakeProgram(program)
    await afterPack({ appOutDir: folder, electronPlatformName: 'mas', packager: { appInfo: { productFilename: 'Countersign' } } })
    expect((await stat(helper)).mode & 0o777).toBe(0o755)
  })

  it.each([
    ['linux', 'x64', ['@vscode/ripgrep-linux-x64/bin/rg', 'better-sqlite3/prebuilds/linux-x64.node', 'node-pty/build/Release/pty.node']],
    [
      'darwin',
      'arm64',
      ['@vscode/ripgrep-darwin-arm64/bin/rg', 'better-sqlite3/prebuilds/darwin-arm64.node', 'node-pty/prebuilds/darwin-arm64/pty.node'],
    ],
    [
      'win32',
      'x64',
      ['@vscode/ripgrep-win32-x64/bin/rg.exe', 'better-sqlite3/prebuilds/win32-x64.node', 'node-pty/prebuilds/win32-x64/conpty.node'],
    ],
  ])('a package for %s %s contains all of its own programs, or is not built', async (platform, arch, programs) => {
    for (const [count, program] of programs.entries()) {
      expect(missingPrograms(folder, platform, arch)).toEqual(programs.slice(count))
      const file = join(folder, 'resources/app.asar.unpacked/node_modules', program)
      await mkdir(join(file, '..'), { recursive: true })
      await writeFile(file, '')
    }
    expect(missingPrograms(folder, platform, arch)).toEqual([])
    const other = { appOutDir: folder, electronPlatformName: platform, arch: arch === 'x64' ? 3 : 1 }
    await expect(afterPack({ ...other, packager: { appInfo: { productFilename: 'Countersign' } } })).rejects.toThrow(
      /lacks @vscode\/ripgrep/,
    )
  })

  it('the SQLite and terminal packages contain the binaries for macOS and Windows', async () => {
    const binaries = ['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'].flatMap((target) => [
      `node_modules/better-sqlite3/prebuilds/${target}.node`,
      `node_modules/node-pty/prebuilds/${target}/${target.startsWith('win32') ? 'conpty.node' : 'spawn-helper'}`,
    ])
    for (const file of binaries) expect((await stat(new URL(file, root))).size).toBeGreaterThan(1000)
  })

  it('Linux with an update feed: the key that updates are checked with is in the package, or it is not built', async () => {
    await mkdir(join(folder, 'resources'))
    const feed = { provider: 'generic', url: 'https://updates.example' }
    expect(() => addUpdateKey(folder, feed, {})).toThrow(/needs COUNTERSIGN_UPDATE_PUBLIC_KEY/)
    expect(() => addUpdateKey(folder, null, {})).not.toThrow()
    addUpdateKey(folder, feed, { COUNTERSIGN_UPDATE_PUBLIC_KEY: 'a key' })
    expect(await readFile(join(folder, 'resources', 'update-key.pem'), 'utf8')).toBe('a key')
  })

  it('the script after the installation of a deb or rpm is electron-builder’s own, with the launcher in place of the program', async () => {
    const [own, template] = await Promise.all(
      ['main/electron/packaging/after-install.tpl', 'node_modules/app-builder-lib/templates/linux/after-install.tpl'].map((path) =>
        readFile(new URL(path, root), 'utf8'),
      ),
    )
    const program = (place: string): string => `'/opt/\${sanitizedProductName}/${place}\${executable}'`
    expect(own).toBe(template?.replaceAll(program(''), program('resources/bin/')))
    expect(own).not.toBe(template)
  })

  it('a feed that was signed for a release is what the app accepts, and nothing else is', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const feed = {
      version: '0.2.0',
      files: [{ url: 'Countersign-0.2.0.AppImage', sha512: 'hash', size: 1 }],
      path: 'Countersign-0.2.0.AppImage',
    }
    await writeFile(join(folder, 'latest-linux.yml'), stringify(feed))
    const env = { ...process.env, COUNTERSIGN_UPDATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('main/electron/packaging/sign-feed.mjs', root)), folder], { env })
    const signed = parse(await readFile(join(folder, 'latest-linux.yml'), 'utf8')) as typeof feed & { signature: string }
    expect(isSigned(signed, signed.signature, pem)).toBe(true)
    expect(isSigned({ ...signed, version: '0.3.0' }, signed.signature, pem)).toBe(false)
    expect(isSigned({ ...signed, files: [{ url: 'Countersign-0.2.0.AppImage', sha512: 'other' }] }, signed.signature, pem)).toBe(false)
    for (const bad of [undefined, 7, '', 'x'.repeat(88)]) expect(isSigned(signed, bad, pem)).toBe(false)
  })

  it('row 19: a new fuse in a new Electron version stops the packaging until its value is decided', () => {
    expect(fusesFor('linux').strictlyRequireAllFuses).toBe(true)
  })

  it('native modules are outside the archive, nothing is rebuilt and nothing is published', async () => {
    const config = await readFile(new URL('electron-builder.yml', root), 'utf8')
    const stated = [
      /^asar: true$/m,
      /^npmRebuild: false$/m,
      /^publish: null$/m,
      /^afterPack: \.\/main\/electron\/packaging\/after-pack\.mjs$/m,
      /^mac:$/m,
      /^win:$/m,
      /^linux:$/m,
    ]
    expect(stated.filter((line) => !line.test(config))).toEqual([])
    const unpacked = config.slice(config.indexOf('asarUnpack:'), config.indexOf('npmRebuild'))
    expect(['better-sqlite3', 'node-pty', '@vscode/ripgrep*'].filter((name) => !unpacked.includes(`node_modules/${name}/**`))).toEqual([])
  })

  it('the icons of macOS and Windows are made of the same pictures as those of Linux', async () => {
    const picture = (size: number): Promise<Buffer> => readFile(new URL(`main/electron/packaging/icons/${size}x${size}.png`, root))
    const [mac, windows] = await Promise.all(['icns', 'ico'].map((end) => readFile(new URL(`main/electron/packaging/icon.${end}`, root))))
    for (const size of [16, 32, 64, 128, 256, 512]) expect([size, mac?.includes(await picture(size))]).toEqual([size, true])
    expect(mac?.includes(await readFile(new URL('main/electron/packaging/icon.png', root)))).toBe(true)
    for (const size of [16, 24, 32, 48, 64, 128, 256]) expect([size, windows?.includes(await picture(size))]).toEqual([size, true])
  })

  it.each([
    ['without a certificate', {}, '-'],
    ['with a certificate in a file', { CSC_LINK: 'certificate.p12' }, undefined],
    ['with a named certificate', { CSC_NAME: 'The Countersign authors' }, undefined],
  ])('macOS %s: the identity is chosen so that the app is always signed, or it would get no notifications', (_, env, identity) => {
    const options: { identity?: string } = {}
    signWithoutCertificate(options, env)
    expect(options.identity).toBe(identity)
  })

  it('the app has its name, and its windows have the app id of the desktop entry', async () => {
    const appId = /^appId: (.+)$/m.exec(await readFile(new URL('electron-builder.yml', root), 'utf8'))?.[1]
    expect([manifest.productName, manifest.desktopName]).toEqual(['Countersign', `${appId}.desktop`])
  })

  it('the app reports the packaged version', () => {
    expect(VERSION).toBe(manifest.version)
  })

  it('the packaged entry point is the desktop shell, and Electron is pinned to one version', () => {
    expect(manifest.main).toBe('dist/main/index.js')
    expect(manifest.devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
