import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder that is gone when the test has finished, whatever was done to its mode. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-store-'))
  onTestFinished(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
