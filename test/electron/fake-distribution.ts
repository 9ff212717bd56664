import { cp, link, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** How Electron's fuses are stored in a program: this marker, a version, the number of fuses, then one byte per fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

export const fuseBytes = (): Buffer => Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, 9]), Buffer.from('101100011')])

/** Writes a program with Electron's own default fuses: RunAsNode and similar ones on, integrity off. */
export async function fakeProgram(file: string): Promise<void> {
  await writeFile(file, Buffer.concat([Buffer.alloc(5_000), fuseBytes(), Buffer.alloc(5_000)]), { mode: 0o755 })
}

/** Creates the files that electron-builder needs from an unpacked Electron for Linux, without the runtime itself. */
export async function fakeDistribution(folder: string): Promise<void> {
  await mkdir(join(folder, 'locales'), { recursive: true })
  await mkdir(join(folder, 'resources'))
  await fakeProgram(join(folder, 'electron'))
  await writeFile(join(folder, 'resources', 'default_app.asar'), emptyArchive())
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version', 'locales/en-US.pak', 'locales/de.pak'])
    await writeFile(join(folder, name), '')
}

/**
 * Returns an empty archive. An archive begins with four numbers, followed by its listing as JSON. The numbers are sizes of what follows,
 * and the last one is the length of the JSON text.
 */
export function emptyArchive(): Buffer {
  const listing = Buffer.from('{"files":{}}')
  const head = Buffer.alloc(16)
  for (const [index, number] of [4, listing.length + 8, listing.length + 4, listing.length].entries()) head.writeUInt32LE(number, index * 4)
  return Buffer.concat([head, listing])
}

interface Listing {
  readonly files?: Readonly<Record<string, Listing>>
  /** Where the file begins, counted from the end of the listing. Absent for a folder and for a file that is unpacked next to the archive. */
  readonly offset?: string
  readonly size?: number
}

/** Returns every path in an archive, including paths that are unpacked next to it. */
export async function archivePaths(file: string): Promise<readonly string[]> {
  const { listing } = readArchive(await readFile(file))
  return entriesIn(listing, '').map(({ path }) => path)
}

/**
 * Copies the `resources` of a packaged app to `target`, with a folder in place of the archive, because Node alone cannot read an archive. As
 * Electron does, the folder also has the files that are unpacked next to the archive.
 */
export async function extractResources(resources: string, target: string): Promise<void> {
  const { listing, content } = readArchive(await readFile(join(resources, 'app.asar')))
  for (const { path, entry } of entriesIn(listing, '')) {
    const place = join(target, 'app.asar', path)
    if (entry.files) await mkdir(place, { recursive: true })
    else if (entry.offset !== undefined)
      await writeFile(place, content.subarray(Number(entry.offset), Number(entry.offset) + (entry.size ?? 0)))
  }
  await cp(resources, target, { recursive: true, filter: (path) => path !== join(resources, 'app.asar') })
  // Links, not copies, because a process that loads two copies of SQLite damages its databases. Electron itself loads only one.
  const unpacked = join(target, 'app.asar.unpacked')
  for (const entry of await readdir(unpacked, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const place = join(target, 'app.asar', relative(unpacked, path))
    if (entry.isFile()) await mkdir(dirname(place), { recursive: true }).then(() => link(path, place))
  }
}

function readArchive(archive: Buffer): { readonly listing: Listing; readonly content: Buffer } {
  const text = archive.subarray(16, 16 + archive.readUInt32LE(12)).toString()
  return { listing: JSON.parse(text) as Listing, content: archive.subarray(8 + archive.readUInt32LE(4)) }
}

type Entry = { readonly path: string; readonly entry: Listing }

function entriesIn({ files = {} }: Listing, above: string): readonly Entry[] {
  return Object.entries(files).flatMap(([name, entry]) => {
    const path = `${above}/${name}`
    return [{ path, entry }, ...entriesIn(entry, path)]
  })
}

/**
 * Creates programs in `folder` that electron-builder uses for a deb, an rpm and an AppImage in place of fpm and mksquashfs. They only record what they
 * were to pack, in `folder/deb`, `folder/rpm` and `folder/appimage`. Returns the variables that electron-builder finds them by.
 */
export async function recordingPackers(folder: string): Promise<Record<string, string>> {
  for (const inner of ['deb', 'rpm', 'appimage', 'runtimes', 'lib/x64', 'lib/arm64']) await mkdir(join(folder, inner), { recursive: true })
  for (const arch of ['x64', 'arm64']) await writeFile(join(folder, 'runtimes', `runtime-${arch}`), 'runtime')
  const write = (name: string, lines: readonly string[]): Promise<void> =>
    writeFile(join(folder, name), ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'), { mode: 0o755 })
  await write('fpm', [
    'kind=deb',
    'for word; do [ "$before" = -t ] && kind=$word; before=$word; done',
    `printf '%s\\0' "$@" > '${folder}/'$kind/arguments`,
    'for word; do',
    `  case "$word" in *.desktop) cp "\${word%%=*}" '${folder}/'$kind/entry;; esac`,
    `  [ "$before" = --after-install ] && cp "$word" '${folder}/'$kind/after-install`,
    '  [ "$before" = --package ] && : > "$word"',
    '  before=$word',
    'done',
  ])
  await write('mksquashfs', [
    `cp "$1"/*.desktop '${folder}/appimage/entry'`,
    `cp "$1"/AppRun '${folder}/appimage/AppRun'`,
    'printf "       image" > "$2"',
  ])
  await write('desktop-file-validate', [])
  return { CUSTOM_FPM_PATH: join(folder, 'fpm'), APPIMAGE_TOOLS_PATH: folder }
}
