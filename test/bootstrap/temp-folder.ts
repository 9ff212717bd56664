import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Creates a folder for one test, with a space in its name and with these files. It is removed when the test has finished. */
export function tempFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder('a test')
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o755 })
  }
  return folder
}
