import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder that is gone when the test has finished, whatever it did to its modes. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-store-'))
  onTestFinished(() => {
    for (const name of ['', ...readdirSync(folder)]) chmodSync(join(folder, name), 0o700)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
