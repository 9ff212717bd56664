import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { on } from 'node:events'
import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type WorkerName, workerFile } from '../../main/environment/worker-file.ts'
import { archivePaths, extractResources, recordingPackers } from './fake-distribution.ts'
import { entryIn, packApp } from './packed-app.ts'

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
  /** The packed files outside the repository, where nothing of it can be found by a path upwards. */
  let extracted: string
  let said: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-packaged-'))
    await run(process.execPath, ['main/bootstrap.mjs', 'build'], { cwd: root })
    const packed = await packApp(folder, [], await recordingPackers(join(folder, 'packers')))
    said = packed.said
    app = dirname(packed.resources)
    listed = await archivePaths(join(packed.resources, 'app.asar'))
    extracted = join(folder, 'extracted')
    await extractResources(packed.resources, extracted)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('contains the built shells, preload and page, the native packages, and nothing else', () => {
    expect(new Set(listed.map((path) => path.split('/').slice(1, 3).join('/')))).toEqual(
      new Set([
        'dist',
        'dist/main',
        'dist/preload',
        'dist/renderer',
        // The icon in the system tray.
        'main',
        'main/electron',
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

  it('the packaged app starts from its own files alone, shows the page, answers the page’s calls and closes', async () => {
    const data = join(folder, 'data')
    const entry = entryIn(extracted)
    const { stdout } = await run(process.execPath, [join(root, 'test/electron/start-built-entry.ts'), entry, data], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({
      beforeReady: { sandboxed: true, schemes: 1 },
      url: 'countersign-app://desk/',
      errors: [],
      hello: expect.objectContaining({ shell: 'desktop', dataFolder: data, openFolder: null }) as unknown,
      licenses: await readFile(join(app, 'resources', 'NOTICES.txt'), 'utf8'),
      exitCode: 0,
    })
  })

  it('the licenses of all packed packages, bundled or not, and of the fonts can be read without the app', async () => {
    const text = await readFile(join(app, 'resources', 'NOTICES.txt'), 'utf8')
    expect(await readFile(join(app, 'resources', 'LICENSE.txt'), 'utf8')).toContain('The Countersign authors')
    const packed = new Set(listed.flatMap((path) => /^\/node_modules\/((?:@[\w-]+\/)?[\w-]+)\//.exec(path)?.[1] ?? []))
    const named = [...packed, 'electron', 'zod', 'react', '@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono']
    for (const name of named) expect([name, text.includes(`\n${name} `)]).toEqual([name, true])
    expect(text).toContain('SIL OPEN FONT LICENSE')
    expect(text).not.toContain('\nvitest ')
  })

  it('the list of the page’s files in the archive is complete', async () => {
    const list = JSON.parse(await readFile(join(root, 'dist', 'renderer', 'asset-list.json'), 'utf8')) as readonly string[]
    const packed = listed.filter((path) => path.startsWith('/dist/renderer/') && /\.\w+$/.test(path)).map((path) => path.slice(15))
    expect(packed.filter((path) => !list.includes(path) && path !== 'asset-list.json')).toEqual([])
    expect(list.filter((path) => !packed.includes(path) && !path.endsWith('.map'))).toEqual([])
  })

  it('each thread and the host process start from their file outside the archive, and only while the file is unchanged', async () => {
    const outside = join(extracted, 'app.asar.unpacked', 'dist', 'main')
    const inside = join(extracted, 'app.asar', 'dist', 'main')
    const hashes = JSON.parse(await readFile(join(inside, 'worker-hashes.json'), 'utf8')) as Readonly<Record<string, string>>
    const names = Object.keys(hashes).map((file) => file.replace(/\.js$/, '') as WorkerName)
    expect(names).toHaveLength(10)
    const importer = pathToFileURL(join(inside, 'chunks', 'app.js')).href
    for (const name of names) {
      const file = workerFile(name, importer)
      expect(fileURLToPath(file)).toBe(join(outside, `${name}.js`))
      if (name !== 'host-process') expect([name, await loadedAsThread(file)]).toEqual([name, 'loaded'])
      await appendFile(join(outside, `${name}.js`), '\n// changed')
      expect(() => workerFile(name, importer)).toThrow(`(${name}.js) has been changed since it was installed`)
    }
  })

  it('contains the programs of its own platform and processor, and of no other', () => {
    const native = listed.filter((path) => /\/(?:rg(?:\.exe)?|[\w-]+\.node|[\w-]+\.dll|spawn-helper)$/.test(path))
    expect(native.toSorted()).toEqual([
      `/node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`,
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
      '/node_modules/node-pty/build/Release/pty.node',
    ])
  })

  it('the Debian package has icons in the sizes that desktops look for, a synopsis, a maintainer with an address and its helpers', async () => {
    const words = (await readFile(join(folder, 'packers', 'deb', 'arguments'), 'utf8')).split('\0')
    const after = (flag: string): readonly string[] => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []))
    expect(after('--deb-recommends')).toEqual(['bubblewrap', 'attr', 'socat', 'git'])
    expect(after('--maintainer')).toEqual([expect.stringMatching(/<.+@.+>$/)])
    expect(after('--description')[0]?.split('\n')).toEqual([expect.stringMatching(/^\S.{10,78}$/), expect.stringMatching(/^ \S/)])
    const icons = words.flatMap((word) => /hicolor\/(\d+x\d+)\/apps\/countersign\.png$/.exec(word)?.[1] ?? [])
    expect(icons.toSorted()).toEqual(['128x128', '16x16', '24x24', '256x256', '32x32', '48x48', '512x512', '64x64'])
    expect(words).toContainEqual(expect.stringMatching(/=\/usr\/share\/applications\/app\.countersign\.desktop\.desktop$/))
  })

  it.each(['deb', 'rpm'])('%s: the program on PATH is the launcher, which also runs the agent', async (kind) => {
    const script = await readFile(join(folder, 'packers', kind, 'after-install'), 'utf8')
    expect(script).toContain("ln -sf '/opt/Countersign/resources/bin/countersign' '/usr/bin/countersign'")
    expect(script).toContain("chmod 4755 '/opt/Countersign/chrome-sandbox'")
  })

  it('the rpm names its helpers and has the same desktop entry as the deb', async () => {
    const words = (await readFile(join(folder, 'packers', 'rpm', 'arguments'), 'utf8')).split('\0')
    expect(words[words.indexOf('--rpm-tag') + 1]).toBe('Recommends: bubblewrap, attr, socat, git')
    // electron-builder adds the scheme to the same list once for each package.
    const entry = async (kind: string): Promise<string> =>
      (await readFile(join(folder, 'packers', kind, 'entry'), 'utf8')).replaceAll(/(x-scheme-handler\/countersign;)+/g, '$1')
    expect(await entry('rpm')).toBe(await entry('deb'))
  })

  it('the launcher runs the agent without a display, also through a link, and hands a folder to the app', async () => {
    const bin = join(folder, 'launched')
    await mkdir(join(bin, 'resources', 'bin'), { recursive: true })
    await cp(join(app, 'resources', 'bin', 'countersign'), join(bin, 'resources', 'bin', 'countersign'))
    await writeFile(join(bin, 'countersign'), '#!/bin/sh\nprintf "%s|" "$@" > "$(dirname "$0")/started"\n', { mode: 0o755 })
    await symlink(join('resources', 'bin', 'countersign'), join(bin, 'link'))
    await run(join(bin, 'link'), ['agent', '--json', 'a task'], { cwd: folder })
    expect(await readFile(join(bin, 'started'), 'utf8')).toBe(
      '--ozone-platform=headless|--js-flags=--min-semi-space-size=4|agent|--json|a task|',
    )
    await run(join(bin, 'link'), ['/srv/tides & more'], { cwd: folder })
    await vi.waitFor(async () => expect(await readFile(join(bin, 'started'), 'utf8')).toBe('/srv/tides & more|'))
  })

  it('“agent” runs a task in Electron’s main process without a window, and ends with its exit code', async () => {
    const entry = entryIn(extracted)
    const start = (args: readonly string[]) =>
      run(
        process.execPath,
        [
          join(root, 'test/electron/start-agent.ts'),
          entry,
          '--ozone-platform=headless',
          '--js-flags=--min-semi-space-size=4',
          'agent',
          ...args,
        ],
        {
          cwd: folder,
        },
      )
    const { stdout } = await start(['--rehearse', '--data', join(folder, 'agent-data')])
    expect(stdout).toContain('"kind":"PROCESSING_END","reason":"completed"')
    await expect(start(['--no-such-option'])).rejects.toMatchObject({ code: 2 })
  })

  it.each(['deb', 'appimage'])('%s: the desktop entry names the app and its windows, and keeps the sandbox', async (kind) => {
    const entry = await readFile(join(folder, 'packers', kind, 'entry'), 'utf8')
    expect(entry).toMatch(/^Name=Countersign$/m)
    expect(entry).toMatch(/^StartupWMClass=app\.countersign\.desktop$/m)
    expect(entry).toMatch(/^MimeType=(?=.*x-scheme-handler\/countersign;)(?=.*inode\/directory;)/m)
    expect(entry).toMatch(/^Exec=.+ %U$/m)
    expect(entry).not.toContain('--no-sandbox')
    expect(said).not.toMatch(/desktopName|default Electron icon/)
  })

  it('the metadata that a Debian package requires is present', async () => {
    const { homepage, author, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>
    expect([homepage, author, license]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/<.+@.+>/), 'MIT'])
    const icon = await readFile(join(root, 'main', 'electron', 'packaging', 'icon.png'))
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

/** Loads a thread's file in a thread. Its code may refuse its input, but every module that it needs must be there. */
async function loadedAsThread(file: URL): Promise<unknown> {
  const code = `import(${JSON.stringify(file.href)}).then(() => 'loaded', (error) => /Cannot find|MODULE_NOT_FOUND|dlopen/.test(error) ? String(error) : 'loaded').then((end) => require('node:worker_threads').parentPort.postMessage({ end }))`
  const worker = new Worker(code, { eval: true, workerData: { kind: 'nothing' } })
  // The thread's own code may send something first.
  for await (const [message] of on(worker, 'message') as AsyncIterable<readonly [{ readonly end?: string }]>) {
    if (message.end === undefined) continue
    await worker.terminate()
    return message.end
  }
  return 'ended'
}
