import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MAX_TRIES = 100

/**
 * Writes an approved plan into the folder `plans` of the data folder, so that the user can read, copy and share it. If the name exists,
 * a number is added. Resolves to the path; null if the plan could not be written and exists only in the session.
 */
export async function writePlanFile(dataFolder: string, title: string, markdown: string): Promise<string | null> {
  const folder = join(dataFolder, 'plans')
  const name = `${new Date().toISOString().slice(0, 10)}-${slug(title)}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch {
    return null
  }
  for (let nr = 1; nr <= MAX_TRIES; nr++) {
    const file = join(folder, nr === 1 ? `${name}.md` : `${name}-${nr}.md`)
    try {
      await writeFile(file, `${markdown}\n`, { flag: 'wx', mode: 0o600 })
      return file
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return null
    }
  }
  return null
}

function slug(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return words.slice(0, 48).replaceAll(/^-+|-+$/gu, '') || 'plan'
}
