import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where Electron's fuses lie in a program: this mark, a version, their number, one byte each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** A program with Electron's own fuses in it, as its distribution comes: RunAsNode and the like on, integrity off. */
export async function fakeProgram(file: string): Promise<void> {
  const fuses = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, 9]), Buffer.from('101100011')])
  await writeFile(file, Buffer.concat([Buffer.alloc(5_000), fuses, Buffer.alloc(5_000)]), { mode: 0o755 })
}

/** What electron-builder needs of an unpacked Electron for Linux, the runtime itself left out. */
export async function fakeDistribution(folder: string): Promise<void> {
  await mkdir(join(folder, 'locales'), { recursive: true })
  await mkdir(join(folder, 'resources'))
  await fakeProgram(join(folder, 'electron'))
  await writeFile(join(folder, 'resources', 'default_app.asar'), emptyArchive())
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'version', 'locales/en-US.pak', 'locales/de.pak'])
    await writeFile(join(folder, name), '')
}

/** An archive begins with two numbers, then its listing as JSON behind two more: what is to come, and how long the text is. */
function emptyArchive(): Buffer {
  const listing = Buffer.from('{"files":{}}')
  const head = Buffer.alloc(16)
  for (const [index, number] of [4, listing.length + 8, listing.length + 4, listing.length].entries()) head.writeUInt32LE(number, index * 4)
  return Buffer.concat([head, listing])
}

interface Listing {
  readonly files?: Readonly<Record<string, Listing>>
}

/** Every path in an archive, those that lie unpacked beside it included. */
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
