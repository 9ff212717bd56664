import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { createWorkbench, type Workbench } from './workbench.ts'

export const patchOf = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

/** Creates new parts for each test of the file, with shortcuts for trying patches. */
export function patchBench() {
  let bench: Workbench
  beforeEach(() => {
    bench = createWorkbench()
  })
  afterEach(() => bench.dispose())
  const at = (name: string): string => join(bench.root, name)
  return {
    bench: () => bench,
    at,
    put(name: string, content: string | Uint8Array): void {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), content)
    },
    now: (name: string): string => readFileSync(at(name), 'utf8'),
    apply: (...lines: readonly string[]) => bench.call('apply_patch', { patch: patchOf(...lines) }),
  }
}
