import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runQuietly } from './processes.mjs'

/**
 * Runs npm without its noise, by the Node that it came with where that is known, or by another one.
 * @param {string} root
 * @param {readonly string[]} args
 * @param {{ readonly env?: NodeJS.ProcessEnv, readonly by?: string }} [options]
 */
export function npm(root, args, { env: extraEnv, by } = {}) {
  const env = { ...process.env, ...extraEnv }
  const options = { cwd: root, env }
  const quiet = [...args, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const script = npmScript()
  if (script) return runQuietly(by ?? process.env.npm_node_execpath ?? process.execPath, [script, ...quiet], options)
  if (process.platform === 'win32') return runQuietly('cmd.exe', ['/d', '/c', 'npm.cmd', ...quiet], options)
  return runQuietly('npm', quiet, options)
}

/** npm's own program file: that of the npm that runs us, else the one beside our Node. */
function npmScript() {
  const running = process.env.npm_execpath
  if (running && basename(running) === 'npm-cli.js' && existsSync(running)) return running
  const bin = dirname(process.execPath)
  const places = [join(bin, 'node_modules', 'npm'), join(dirname(bin), 'lib', 'node_modules', 'npm')].map((home) =>
    join(home, 'bin', 'npm-cli.js'),
  )
  return places.find((file) => existsSync(file)) ?? null
}

/**
 * What a person can use of npm's last words: errors, without npm's advice, its manual of a command and the path of its log.
 * @param {string} noise
 */
export function lastWords(noise) {
  const [words = ''] = noise.split(/^npm (?:error|ERR!) Usage:$/m)
  const lines = words.split('\n').filter((line) => line.trim() !== '' && !NO_WORDS.test(line))
  return lines.slice(-40).join('\n')
}

const NO_WORDS = /^npm (?:notice|warn|info|http)|^npm (?:error|ERR!)(?:$| A complete log of this run)/i
