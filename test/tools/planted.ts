import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createWorkbench, type Workbench } from './workbench.ts'

/** Creates a workbench for this test over a folder with these files. */
export function planted(files: Readonly<Record<string, string | Uint8Array>>): Workbench {
  const bench = createWorkbench()
  onTestFinished(() => bench.dispose())
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(bench.root, path)), { recursive: true })
    writeFileSync(join(bench.root, path), content)
  }
  return bench
}
