import { afterEach, beforeEach } from 'vitest'
import { createWorkbench, type Workbench } from './workbench.ts'

/** The workbench of the running test. Each test of the file gets a new one. */
export function benchOfEachTest(): Workbench {
  let bench: Workbench
  beforeEach(() => {
    bench = createWorkbench()
  })
  afterEach(() => bench.dispose())
  return new Proxy({} as Workbench, { get: (_, name: keyof Workbench) => bench[name] })
}
