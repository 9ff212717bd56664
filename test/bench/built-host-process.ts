import { registerHooks } from 'node:module'

/**
 * Lets the benchmarks start the host process of the build. From the sources it takes several times as long to start, because it loads a few
 * hundred files. Used with `node --import`, before the app's files are loaded.
 */
const BUILT = "export const hostProgramFile = () => new URL('../../dist/main/host-process.js', import.meta.url)\n"

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/main/host-process/host-program-file.ts') ? { format: 'module', shortCircuit: true, source: BUILT } : next(url, context),
})
