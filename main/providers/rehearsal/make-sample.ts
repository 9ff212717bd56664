import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SAMPLE_FILES } from './sample-files.ts'

/**
 * Writes the sample project into a new folder in `parent`, which is created if it is missing. Resolves to the real path of the new
 * folder.
 */
export async function makeSample(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true })
  const folder = await realpath(await mkdtemp(join(parent, 'invoices-')))
  for (const [path, content] of Object.entries(SAMPLE_FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** Removes a copy of the sample project. A copy that cannot be removed is left in the system's temp folder. */
export async function removeSample(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {})
}
