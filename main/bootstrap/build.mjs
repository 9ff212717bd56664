import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packedPackages, writeNotices } from './notices.mjs'
import { cacheFolder, toolEnv } from './places.mjs'
import { runQuietly } from './processes.mjs'
import { putInPlace } from './put-in-place.mjs'
import { withProgress } from './say.mjs'

/** @typedef {'main' | 'preload' | 'renderer' | 'agent'} Part */

/** @type {Readonly<Record<Part, { readonly sources: readonly string[], readonly proof: string, readonly tool: (root: string, target: string) => string[] }>>} */
const PARTS = {
  main: { sources: ['main', 'shared'], proof: 'run.js', tool: (root, target) => rolldown(root, 'main', target) },
  preload: { sources: ['preload', 'shared'], proof: 'index.cjs', tool: (root, target) => rolldown(root, 'preload', target) },
  renderer: { sources: ['renderer', 'shared'], proof: 'index.html', tool: vite },
  agent: {
    sources: ['main', 'shared'],
    proof: 'agent-entry.js',
    tool: (root, target) => [join(root, 'main', 'bootstrap', 'build-agent.mjs'), target],
  },
}

/**
 * What the shells need.
 * @type {readonly Part[]}
 */
export const SHELL_PARTS = ['main', 'preload', 'renderer']

/** @type {readonly Part[]} */
export const ALL_PARTS = [...SHELL_PARTS, 'agent']

/**
 * Builds those parts into `dist/` whose sources have changed since their last build.
 * @param {string} root
 * @param {string} runtime
 * @param {readonly Part[]} parts
 * @param {{ readonly always: boolean }} [options] `always` builds unchanged parts too
 * @returns {Promise<string | null>} null on success, else the compiler's output
 */
export async function build(root, runtime, parts, { always } = { always: false }) {
  for (const part of parts) {
    const stamp = sourceStamp(root, part)
    const stampFile = join(cacheFolder(root), `${part}.built`)
    const built = existsSync(join(root, 'dist', part, PARTS[part].proof))
    if (!always && built && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) continue
    const failed = await buildPart(root, runtime, part)
    if (failed !== null) return failed
    mkdirSync(cacheFolder(root), { recursive: true })
    writeFileSync(stampFile, stamp)
    const folders = SHELL_PARTS.map((one) => join(root, 'dist', one))
    writeNotices(folders, packedPackages(root), join(root, 'dist', 'NOTICES.txt'))
  }
  return null
}

/**
 * Builds into its own folder and then moves the files, so that `dist/` stays usable during a build, after a failed one, and and while two builds run at once.
 * @param {string} root
 * @param {string} runtime
 * @param {Part} part
 */
async function buildPart(root, runtime, part) {
  const target = join(root, 'dist', `.${part}-${process.pid}`)
  const args = PARTS[part].tool(root, target)
  const ending = await withProgress(
    `Building ${part}`,
    () => '',
    () => runQuietly(runtime, args, { cwd: root, env: toolEnv(root) }),
  )
  if (ending.kind === 'done') {
    putInPlace(target, join(root, 'dist', part))
    return null
  }
  rmSync(target, { recursive: true, force: true })
  return ending.kind === 'failed' ? `${ending.noise}\n${part} could not be built (${ending.why}).` : `${part} could not be built.`
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {string} target
 */
function rolldown(root, folder, target) {
  return [join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs'), '-c', join(root, folder, 'rolldown.config.ts'), '--dir', target]
}

/**
 * @param {string} root
 * @param {string} target
 */
function vite(root, target) {
  return [
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '-c',
    join(root, 'renderer', 'vite.config.ts'),
    '--outDir',
    target,
    '--emptyOutDir',
  ]
}

/**
 * Names, sizes and times of a part's sources. If the value changes, the part must be built.
 * @param {string} root
 * @param {Part} part
 */
export function sourceStamp(root, part) {
  const hash = createHash('sha256')
  for (const folder of PARTS[part].sources) hashFolder(hash, join(root, folder))
  hashFile(hash, join(root, 'package-lock.json'))
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} folder
 */
function hashFolder(hash, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) hashFolder(hash, path)
    else hashFile(hash, path)
  }
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} file
 */
function hashFile(hash, file) {
  const { size, mtimeMs } = statSync(file)
  hash.update(`${file}\n${size}\n${mtimeMs}\n`)
}
