import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How Electron's fuses are stored in a program: this marker, a version, the number of fuses, then one byte per fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** Writes a program with Electron's own default fuses: RunAsNode and similar ones on, integrity off. */
export async function fakeProgram(file: string): Promise<void> {
  const fuses = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, 9]), Buffer.from('101100011')])
  await writeFile(file, Buffer.concat([Buffer.alloc(5_000), fuses, Buffer.alloc(5_000)]), { mode: 0o755 })
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
function emptyArchive(): Buffer {
  const listing = Buffer.from('{"files":{}}')
  const head = Buffer.alloc(16)
  for (const [index, number] of [4, listing.length + 8, listing.length + 4, listing.length].entries()) head.writeUInt32LE(number, index * 4)
  return Buffer.concat([head, listing])
}

interface Listing {
  readonly files?: Readonly<Record<string, Listing>>
}

/** Returns every path in an archive, including paths that are unpacked next to it. */
export async function archivePaths(file: string): Promise<readonly string[]> {
  const handle = await open(file)
  const head = Buffer.alloc(16)
  await handle.read(head, 0, 16, 0)
  const listing = Buffer.alloc(head.readUInt32LE(12))
  await handle.read(listing, 0, listing.length, 16)
  await handle.close()
  return pathsIn(JSON.parse(listing.toString()) as Listing, '')
}

function pathsIn({ files = {} }: Listing, above: string): readonly string[] {
  return Object.entries(files).flatMap(([name, entry]) => [`${above}/${name}`, ...pathsIn(entry, `${above}/${name}`)])
}
