import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeFolder } from './remove-folder.ts'

/** Creates a folder that is removed when the test has finished, and returns its real path. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `countersign-${name}-`)))
  onTestFinished(() => removeFolder(folder))
  return folder
}
