import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runQuietly } from '../processes.mjs'

/**
 * Runs npm without showing its output, with the Node that npm came with if that is known, or with `by`.
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

/** The path of npm's program file: the npm that started this process, or else the npm installed with this Node. */
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
 * The useful end of npm's output: errors, without advice, usage of the command and the path of its log.
 * @param {string} noise
 */
export function lastWords(noise) {
  const [beforeUsage = ''] = noise.split(/^npm (?:error|ERR!) Usage:$/m)
  const lines = beforeUsage.split('\n').filter((line) => line.trim() !== '' && !UNUSEFUL_LINE.test(line))
  return lines.slice(-40).join('\n')
}

const UNUSEFUL_LINE = /^npm (?:notice|warn|info|http)|^npm (?:error|ERR!)(?:$| A complete log of this run)/i
