import type { Plugin } from 'vitest/config'
import { TESTED_BUILD } from '../support/built-shell.ts'

const SOURCE = /new URL\(`\.\/\$\{name\}\.ts`, importer\)/u
const BUILT = `process.env['${TESTED_BUILD}'] ? pathToFileURL(join(process.env['${TESTED_BUILD}'], 'main', name + '.js')) : $&`

/**
 * Lets the tests start the threads and host processes of the build, if there is one for this run. From the sources, each loads up to a few
 * hundred files, which takes three times as long. The code looks for the build when it runs, because Vitest keeps it for later runs.
 */
export const builtWorkers: Plugin = {
  name: 'countersign-built-workers',
  transform: {
    filter: { id: /\/main\/environment\/worker-file\.ts$/u },
    handler(code) {
      if (!SOURCE.test(code)) throw new Error('worker-file.ts no longer names the file of a thread as this plugin expects.')
      return code.replace(SOURCE, BUILT)
    },
  },
}
