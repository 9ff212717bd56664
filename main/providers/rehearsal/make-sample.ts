import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SAMPLE_FILES } from './sample-files.ts'

/** Writes the sample project into a new folder within `parent`, which is made where it is missing. Its real path. */
export async function makeSample(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true })
  const folder = await realpath(await mkdtemp(join(parent, 'invoices-')))
  for (const [path, content] of Object.entries(SAMPLE_FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** Takes a copy away. One that cannot be taken away is left to the system, which empties its folder for such things itself. */
export async function removeSample(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {})
}
