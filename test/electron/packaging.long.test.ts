import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workerFile } from '../../main/environment/worker-file.ts'
import { archivePaths, fakeDistribution } from './fake-distribution.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Runs electron-builder on the output of `npm run build`, with an Electron distribution that has no runtime. The tests run only on Linux,
 * because they package for Linux.
 */
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

  it('contains the built shells, preload and page, the native packages, and nothing else', () => {
    expect(new Set(listed.map((path) => path.split('/').slice(1, 3).join('/')))).toEqual(
      new Set([
        'LICENSE',
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
    expect(listed.filter((path) => path.endsWith('.woff2')).length).toBeGreaterThan(1)
    expect(listed.filter((path) => /\.(?:ts|tsx|map|pdb)$/.test(path))).toEqual([])
  })

  it('the packaged app starts, shows the page, answers the page’s calls and closes', async () => {
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

  it('the list of the page’s files in the archive is complete', async () => {
    const list = JSON.parse(await readFile(join(root, 'dist', 'renderer', 'asset-list.json'), 'utf8')) as readonly string[]
    const packed = listed.filter((path) => path.startsWith('/dist/renderer/') && /\.\w+$/.test(path)).map((path) => path.slice(15))
    expect(packed.filter((path) => !list.includes(path) && path !== 'asset-list.json')).toEqual([])
    expect(list.filter((path) => !packed.includes(path) && !path.endsWith('.map'))).toEqual([])
  })

  it('each thread starts only from its unchanged file outside the archive', async () => {
    const outside = join(app, 'resources', 'app.asar.unpacked', 'dist', 'main')
    // Unlike Electron, Node cannot read files in the archive, so a real folder of the same name replaces it.
    const inside = join(app, 'resources', 'app.asar', 'dist', 'main')
    await rename(join(app, 'resources', 'app.asar'), join(app, 'resources', 'archive'))
    await mkdir(inside, { recursive: true })
    await copyFile(join(root, 'dist', 'main', 'worker-hashes.json'), join(inside, 'worker-hashes.json'))
    const importer = pathToFileURL(join(inside, 'chunks', 'app.js')).href
    for (const name of ['comparison-worker', 'document-worker', 'search-worker'] as const) {
      const file = workerFile(name, importer)
      expect(fileURLToPath(file)).toBe(join(outside, `${name}.js`))
      const worker = new Worker(file, { workerData: { kind: 'nothing' } })
      const [end] = (await once(worker, 'exit').catch((error: unknown) => [String(error)])) as readonly [unknown]
      expect(String(end)).not.toMatch(/Cannot find|ERR_MODULE_NOT_FOUND/)
      await appendFile(join(outside, `${name}.js`), '\n// changed')
      expect(() => workerFile(name, importer)).toThrow(`(${name}.js) has been changed since it was installed`)
    }
    await rm(join(app, 'resources', 'app.asar'), { recursive: true })
    await rename(join(app, 'resources', 'archive'), join(app, 'resources', 'app.asar'))
  })

  it('the metadata that a Debian package requires is present', async () => {
    const { homepage, author, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>
    expect([homepage, author, license]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/<.+@.+>/), 'MIT'])
    const icon = await readFile(join(root, 'main', 'electron', 'icon.png'))
    expect([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(['PNG', 1024, 1024])
  })

  it('native modules, ripgrep and the scripts of worker threads are outside the archive', async () => {
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

  it('row 19: the fuses are set, and only the shipped languages are included', async () => {
    const wire = await getCurrentFuseWire(join(app, 'countersign'))
    expect([wire[FuseV1Options.OnlyLoadAppFromAsar], wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]]).toEqual([
      FuseState.ENABLE,
      FuseState.DISABLE,
    ])
    expect([existsSync(join(app, 'locales', 'en-US.pak')), existsSync(join(app, 'locales', 'de.pak'))]).toEqual([true, false])
  })
})
