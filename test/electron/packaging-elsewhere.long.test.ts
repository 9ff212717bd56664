import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { archivePaths, emptyArchive, fakeProgram, fuseBytes } from './fake-distribution.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

interface Configuration {
  readonly asarUnpack: string[]
  readonly win: { readonly files: { from: string; to: string }[] }
  readonly mac: { readonly files: { from: string; to: string }[] }
}

/**
 * Packages for another system with stubs in place of its runtime and of ripgrep, which npm installs only for this one. Everything else is
 * what a package on that system contains.
 */
describe.skipIf(process.platform !== 'linux')('a package for another system', () => {
  let folder: string
  /** Within the repository, because electron-builder unpacks only files of the project. */
  let stubs: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-elsewhere-'))
    await mkdir(join(root, 'dist'), { recursive: true })
    await run(process.execPath, ['main/bootstrap.mjs', 'build'], { cwd: root })
    stubs = await mkdtemp(join(root, 'dist', 'stubs-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await rm(stubs, { recursive: true, force: true })
  })

  /** Returns the folder of the packaged app. */
  async function packaged(system: 'win' | 'mac', arch: 'x64' | 'arm64', electron: string, path = process.env['PATH']): Promise<string> {
    const platform = system === 'win' ? 'win32' : 'darwin'
    const program = join(stubs, `ripgrep-${platform}-${arch}`, 'bin', system === 'win' ? 'rg.exe' : 'rg')
    await mkdir(join(program, '..'), { recursive: true })
    await writeFile(program, '')
    const config = parse(await readFile(join(root, 'electron-builder.yml'), 'utf8')) as Configuration
    const place = config[system].files.find(({ to }) => to === 'node_modules/@vscode')
    if (place) place.from = stubs
    config.asarUnpack.push(`${stubs.slice(root.length)}/**`)
    const file = join(folder, `${system}-${arch}.json`)
    const out = join(folder, `${system}-${arch}`)
    await writeFile(file, JSON.stringify(config))
    const where = ['--projectDir', root, '--config', file, `-c.electronDist=${electron}`, `-c.directories.output=${out}`]
    const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
    await run(process.execPath, [builder, `--${system}`, `--${arch}`, '--dir', ...where], {
      cwd: root,
      env: { ...process.env, PATH: path },
    }).catch(({ stdout }: { readonly stdout: string }) => {
      throw new Error(stdout.slice(-3_000))
    })
    return join(out, `${system}${arch === 'x64' ? '' : `-${arch}`}${system === 'win' ? '-unpacked' : ''}`)
  }

  const programsIn = async (archive: string): Promise<readonly string[]> =>
    (await archivePaths(archive)).filter((path) => /\/(?:rg(?:\.exe)?|[\w-]+\.node|[\w-]+\.dll|[\w-]+\.exe|spawn-helper)$/.test(path))

  it.each(['x64', 'arm64'] as const)(
    'Windows, %s: only its own programs, the fuses, the integrity of the archive, the icon and the launcher',
    async (arch) => {
      const electron = join(folder, `electron-win-${arch}`)
      await mkdir(join(electron, 'locales'), { recursive: true })
      await mkdir(join(electron, 'resources'))
      // A program with version information, which electron-builder edits.
      await copyFile(join(root, 'node_modules/electron-winstaller/vendor/Setup.exe'), join(electron, 'electron.exe'))
      await appendFile(join(electron, 'electron.exe'), fuseBytes())
      await writeFile(join(electron, 'resources', 'default_app.asar'), emptyArchive())
      for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak', 'locales/de.pak'])
        await writeFile(join(electron, name), '')
      const app = await packaged('win', arch, electron)
      const programs = await programsIn(join(app, 'resources', 'app.asar'))
      expect(programs.filter((path) => !path.includes(`win32-${arch}`))).toEqual([])
      expect(programs).toContain(`/node_modules/@vscode/ripgrep-win32-${arch}/bin/rg.exe`)
      expect(programs).toContain(`/node_modules/better-sqlite3/prebuilds/win32-${arch}.node`)
      expect(programs).toContain(`/node_modules/node-pty/prebuilds/win32-${arch}/conpty.node`)
      const program = await readFile(join(app, 'Countersign.exe'))
      const wide = (text: string): boolean => program.includes(Buffer.from(text, 'utf16le'))
      expect([wide('ELECTRONASAR'), wide('Countersign'), program.includes('resources\\\\app.asar')]).toEqual([true, true, true])
      expect(program.includes(await readFile(join(root, 'main/electron/packaging/icons/256x256.png')))).toBe(true)
      const wire = await getCurrentFuseWire(join(app, 'Countersign.exe'))
      expect([wire[FuseV1Options.OnlyLoadAppFromAsar], wire[FuseV1Options.RunAsNode]]).toEqual([FuseState.ENABLE, FuseState.ENABLE])
      expect(await readFile(join(app, 'resources', 'bin', 'countersign.cmd'), 'utf8')).toContain('agent.mjs')
      expect(await readFile(join(app, 'resources', 'NOTICES.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE')
    },
  )

  it.each(['arm64', 'x64'] as const)(
    'macOS, %s: only its own programs, the fuses, the integrity of the archive, the icon, links and folders, and the launcher',
    async (arch) => {
      const electron = join(folder, `electron-mac-${arch}`)
      await stubMacApp(electron)
      const bin = join(folder, 'bin')
      await mkdir(bin, { recursive: true })
      await writeFile(join(bin, 'codesign'), '#!/bin/sh\n', { mode: 0o755 })
      const app = join(await packaged('mac', arch, electron, `${bin}:${process.env['PATH'] ?? ''}`), 'Countersign.app', 'Contents')
      const programs = await programsIn(join(app, 'Resources', 'app.asar'))
      expect(programs.filter((path) => !path.includes(`darwin-${arch}`))).toEqual([])
      expect(programs).toContain(`/node_modules/@vscode/ripgrep-darwin-${arch}/bin/rg`)
      expect(programs).toContain(`/node_modules/node-pty/prebuilds/darwin-${arch}/spawn-helper`)
      const helper = join(app, 'Resources', 'app.asar.unpacked', `node_modules/node-pty/prebuilds/darwin-${arch}/spawn-helper`)
      expect((await stat(helper)).mode & 0o777).toBe(0o755)
      const facts = await readFile(join(app, 'Info.plist'), 'utf8')
      for (const words of ['ElectronAsarIntegrity', 'public.folder', '<string>countersign</string>', 'app.countersign.desktop'])
        expect(facts).toContain(words)
      const wire = await getCurrentFuseWire(join(app, '..'))
      expect([wire[FuseV1Options.OnlyLoadAppFromAsar], wire[FuseV1Options.RunAsNode]]).toEqual([FuseState.ENABLE, FuseState.DISABLE])
      expect((await stat(join(app, 'Resources', 'bin', 'countersign'))).mode & 0o111).toBe(0o111)
      expect(await readFile(join(app, 'Resources', 'icon.icns'))).toEqual(await readFile(join(root, 'main/electron/packaging/icon.icns')))
      expect(await readFile(join(app, 'Resources', 'NOTICES.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE')
    },
  )
})

/** The files of Electron for macOS that electron-builder renames and edits. */
async function stubMacApp(folder: string): Promise<void> {
  const app = join(folder, 'Electron.app', 'Contents')
  const plist = (name: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string><key>CFBundleIdentifier</key><string>x</string></dict></plist>\n`
  for (const inner of [
    'MacOS',
    'Resources/en.lproj',
    'Resources/de.lproj',
    'Frameworks/Electron Framework.framework/Versions/A/Resources/en.lproj',
  ])
    await mkdir(join(app, inner), { recursive: true })
  await writeFile(join(app, 'Frameworks/Electron Framework.framework/Versions/A/Resources/en.lproj/locale.pak'), '')
  await writeFile(join(app, 'Info.plist'), plist('Electron'))
  await writeFile(join(app, 'MacOS', 'Electron'), '', { mode: 0o755 })
  await writeFile(join(app, 'Resources', 'default_app.asar'), emptyArchive())
  await fakeProgram(join(app, 'Frameworks', 'Electron Framework.framework', 'Electron Framework'))
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = join(app, 'Frameworks', `Electron Helper${kind}.app`, 'Contents')
    await mkdir(join(helper, 'MacOS'), { recursive: true })
    await writeFile(join(helper, 'Info.plist'), plist(`Electron Helper${kind}`))
    await writeFile(join(helper, 'MacOS', `Electron Helper${kind}`), '', { mode: 0o755 })
  }
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version']) await writeFile(join(folder, name), '')
}
