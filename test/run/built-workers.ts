import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vitest/config'
import { builtShells } from '../support/built-shell.ts'

const SOURCE = /new URL\(`\.\/\$\{name\}\.ts`, importer\)/u

/**
 * Lets the tests start the threads and host processes of the build, if there is one for this run. From the sources, each loads up to a few
 * hundred files, which takes three times as long.
 */
export function builtWorkers(): Plugin | null {
  const built = builtShells()
  if (built === null) return null
  const folder = pathToFileURL(join(built.browser, '..', '/'))
  return {
    name: 'countersign-built-workers',
    transform: {
      filter: { id: /\/main\/environment\/worker-file\.ts$/u },
      handler(code) {
        if (!SOURCE.test(code)) throw new Error('worker-file.ts no longer names the file of a thread as this plugin expects.')
        return code.replace(SOURCE, `new URL(\`./\${name}.js\`, '${folder.href}')`)
      },
    },
  }
}
