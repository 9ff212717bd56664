import { readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Resolves with the text of the first file of a folder that `look` accepts. Waits until such a file is written. */
export async function appears(folder: string, look: (text: string, name: string) => boolean): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const again = (): void => {
    for (const name of readdirSync(folder)) {
      const text = readQuietly(join(folder, name))
      if (text !== null && look(text, name)) resolve(text)
    }
  }
  const watcher = watch(folder, again)
  again()
  try {
    return await promise
  } finally {
    watcher.close()
  }
}

function readQuietly(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
