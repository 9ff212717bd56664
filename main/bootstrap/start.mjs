import { build } from './build.mjs'
import { parseStart, HELP } from './arguments.mjs'
import { electronProgram, fetchElectron } from './electron-runtime.mjs'
import { setUp } from './install/install.mjs'
import { hasDisplay, isRoot, ROOT, userFolder } from './places.mjs'
import { say } from './say.mjs'
import { browserShell, desktopShell } from './start-shells.mjs'

/**
 * `npm start`: the desktop shell if Electron can run, else the browser shell, after a line with the reason.
 * @param {readonly string[]} args
 * @returns {Promise<number>} exit code
 */
export async function start(args) {
  const parsed = parseStart(args, userFolder())
  if (parsed.kind === 'help') {
    console.log(HELP)
    return 0
  }
  if (parsed.kind === 'wrong') {
    console.error(`${parsed.words} Try: npm start -- --help`)
    return 2
  }
  const { options } = parsed
  const runtime = await setUp(ROOT)
  const passedOn = [...named('--folder', options.folder), ...named('--data', options.data)]
  const why = options.browser ? null : await tryDesktop(runtime, passedOn, options.electron)
  if (typeof why === 'number') return why
  if (why !== null) say(`${why}. Using the browser instead.`)
  const failed = await build(ROOT, runtime, ['renderer'])
  if (failed !== null) {
    console.error(failed)
    return 1
  }
  return browserShell(ROOT, runtime, [...passedOn, ...named('--port', options.port)], options.open)
}

/**
 * @param {string} runtime
 * @param {readonly string[]} args
 * @param {boolean} again
 * @returns {Promise<number | string>} the exit code of the desktop shell, or why there is none
 */
async function tryDesktop(runtime, args, again) {
  const never = whyNoWindow({ root: isRoot(), display: hasDisplay() })
  if (never !== null) return never
  if (!electronProgram(ROOT)) {
    const why = await fetchElectron(ROOT, runtime, again)
    if (why !== null) return why
  }
  const program = electronProgram(ROOT)
  if (!program) return "Electron's runtime is not installed"
  const failed = await build(ROOT, runtime, ['main', 'preload', 'renderer'])
  if (failed !== null) {
    console.error(failed)
    return 1
  }
  return desktopShell(ROOT, program, args)
}

/**
 * Why Electron cannot run here, as far as that is known without starting it.
 * @param {{ readonly root: boolean, readonly display: boolean }} machine
 * @returns {string | null}
 */
export function whyNoWindow({ root, display }) {
  if (root) return 'Electron does not run as root'
  return display ? null : 'There is no display for a window'
}

/**
 * @param {string} name
 * @param {string | number | null} value
 * @returns {string[]}
 */
function named(name, value) {
  return value === null ? [] : [name, String(value)]
}
