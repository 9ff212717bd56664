import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archivePaths, fakeDistribution } from './fake-distribution.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** electron-builder itself, on what `npm run build` made, around a distribution from which the runtime was left out. */
describe.skipIf(process.platform !== 'linux')('packaged app', () => {
  let folder: string
  let app: string
  let listed: readonly string[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-packaged-'))
    await fakeDistribution(join(folder, 'electron'))
    await run(process.execPath, ['main/bootstrap.mjs', 'build'], { cwd: root })
    const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
    const where = [`-c.electronDist=${join(folder, 'electron')}`, `-c.directories.output=${join(folder, 'out')}`]
    await run(process.execPath, [builder, '--linux', '--dir', ...where], { cwd: root })
    app = join(folder, 'out', 'linux-unpacked')
    listed = await archivePaths(join(app, 'resources', 'app.asar'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('holds the built shells, preload and page, the native packages, and nothing else', () => {
    expect(new Set(listed.map((path) => path.split('/').slice(1, 3).join('/')))).toEqual(
      new Set([
        'dist',
        'dist/main',
        'dist/preload',
        'dist/renderer',
        'node_modules',
        'node_modules/@vscode',
        'node_modules/better-sqlite3',
        'node_modules/node-pty',
        'package.json',
      ]),
    )
    for (const file of ['/dist/main/index.js', '/dist/preload/index.cjs', '/dist/renderer/index.html']) expect(listed).toContain(file)
    expect(listed.filter((path) => /\.(?:ts|tsx|map|pdb)$/.test(path))).toEqual([])
  })

  it('the entry that is packaged starts, shows the page and answers the contract, and closes', async () => {
    const data = join(folder, 'data')
    const { stdout } = await run(process.execPath, ['test/electron/start-built-entry.ts', data], { cwd: root })
    expect(JSON.parse(stdout)).toEqual({
      beforeReady: { sandboxed: true, schemes: 1 },
      url: 'countersign-app://desk/',
      errors: [],
      hello: expect.objectContaining({ shell: 'desktop', dataFolder: data, openFolder: null }) as unknown,
      exitCode: 0,
    })
  })

  it('native modules, ripgrep and the files of threads lie outside the archive', async () => {
    const outside = (await readdir(join(app, 'resources', 'app.asar.unpacked'), { recursive: true })).map((path) =>
      path.replaceAll('\\', '/'),
    )
    for (const wanted of [
      /^node_modules\/better-sqlite3\/prebuilds\/linux-\w+\.node$/,
      /node-pty\/build\/Release\/pty\.node$/,
      /ripgrep-[\w-]+\/bin\/rg$/,
      /^dist\/main\/search-worker\.js$/,
    ])
      expect([wanted, outside.some((path) => wanted.test(path))]).toEqual([wanted, true])
  })

  it('row 19: the fuses are set, and only the languages that are shipped are there', async () => {
    const wire = await getCurrentFuseWire(join(app, 'countersign'))
    expect([wire[FuseV1Options.OnlyLoadAppFromAsar], wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]]).toEqual([
      FuseState.ENABLE,
      FuseState.DISABLE,
    ])
    expect([existsSync(join(app, 'locales', 'en-US.pak')), existsSync(join(app, 'locales', 'de.pak'))]).toEqual([true, false])
  })
})
