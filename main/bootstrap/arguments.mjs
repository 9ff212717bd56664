import { isAbsolute, resolve } from 'node:path'

export const HELP = `Countersign: a desktop coding agent that shows every change as a diff for you to sign before it lands.

  npm start                          open the app: in a window if Electron can run here, else in a browser
  npm start -- [options]
    --folder DIR    open this project folder
    --data DIR      keep sessions and settings here (default: COUNTERSIGN_HOME, else the platform's usual place)
    --browser       use the browser even if Electron can run
    --port N        port for the browser, on 127.0.0.1 (default: a free one)
    --no-open       print the address only, open no window
    --electron      try again to download Electron's runtime
    --help          show this help

  npm test                           format, lint, types, unused code, tests, and the main end-to-end tests in Chromium
  npm run check                      the same without the end-to-end tests
  npm run test:slow                  the slow tests and all other end-to-end tests; CI runs them after npm test
  npm run e2e -- [options]           all end-to-end tests; options are Playwright's
  npm run test:long                  random and kill tests with many more rounds, for hours
  npm run test:root                  tests that need root, test:root-slow the slow ones
  npm run bench [-- NAME ...]        measure speed and memory against the targets
  npm run live -- --provider NAME    try a real model; skipped without its key in the environment
  npm run live -- --place k8s://…    try a pod of a real cluster, without a model
  npm run build                      build what is shipped, into dist/
  npm run -s agent -- --help         run a task without a window, for scripts and CI

All but the last first install the packages that are missing.
`

/**
 * @typedef {object} StartOptions
 * @property {boolean} browser
 * @property {boolean} electron
 * @property {boolean} open
 * @property {number | null} port
 * @property {string | null} folder absolute
 * @property {string | null} data absolute
 */

/**
 * Options of `npm start`. Relative folders are resolved against the folder in which the command was typed.
 * @param {readonly string[]} args
 * @param {string} from
 * @returns {{ readonly kind: 'start', readonly options: StartOptions } | { readonly kind: 'help' } | { readonly kind: 'wrong', readonly words: string }}
 */
export function parseStart(args, from) {
  /** @type {StartOptions} */
  const options = { browser: false, electron: false, open: true, port: null, folder: null, data: null }
  const rest = args.flatMap((arg) => (/^--[a-z-]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg]))
  while (rest.length > 0) {
    const name = rest.shift()
    switch (name) {
      case '--help':
      case '-h':
        return { kind: 'help' }
      case '--browser':
        options.browser = true
        break
      case '--electron':
        options.electron = true
        break
      case '--no-open':
        options.open = false
        break
      case '--port': {
        const port = portIn(rest.shift())
        if (port === null) return { kind: 'wrong', words: '--port needs a number from 0 to 65535.' }
        options.port = port
        break
      }
      case '--folder':
      case '--data': {
        const folder = rest.shift()
        if (folder === undefined || folder === '') return { kind: 'wrong', words: `${name} needs a folder.` }
        options[name === '--folder' ? 'folder' : 'data'] = isAbsolute(folder) ? folder : resolve(from, folder)
        break
      }
      default:
        return { kind: 'wrong', words: `"${name}" is not an option of npm start.` }
    }
  }
  return { kind: 'start', options }
}

/** @param {string | undefined} text */
function portIn(text) {
  if (text === undefined || !/^\d{1,5}$/.test(text)) return null
  const port = Number(text)
  return port <= 65_535 ? port : null
}
