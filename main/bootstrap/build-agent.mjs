/**
 * Builds `countersign/agent` into the given folder: the bundle and, below `types`, the declarations that it needs. No bundler for
 * declarations is used, because none supports the project's compiler.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeNotices } from './notices.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = process.argv[2]
if (target === undefined) throw new Error('Name the folder to build into.')

/** @param {readonly string[]} args */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The folder in which `tsc -b` writes the declarations of `main` and `shared`. */
const written = join(root, 'node_modules', '.cache', 'types')
const ENTRY = 'main/agent-entry.d.ts'

run(join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs'), '-c', join(root, 'main', 'agent-entry.config.ts'), '--dir', target)
run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', 'main', ...(existsSync(join(written, ENTRY)) ? [] : ['--force']))
copyDeclarations(ENTRY, new Set())
writeNotices([target], [], join(target, 'NOTICES.txt'))
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))

/**
 * Copies a declaration file and all files that it imports, each once. Import paths of sources become module names for other projects.
 * @param {string} path from the root of the repository
 * @param {Set<string>} copied
 */
function copyDeclarations(path, copied) {
  if (copied.has(path)) return
  copied.add(path)
  const text = readFileSync(join(written, path), 'utf8')
  const place = join(target ?? '', 'types', path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text.replaceAll(/(["'])(\.{1,2}\/[^"']+)\.m?ts\1/g, '$1$2.js$1'))
  for (const [, name] of text.matchAll(/["'](\.{1,2}\/[^"']+)\.m?ts["']/g)) copyDeclarations(join(dirname(path), `${name}.d.ts`), copied)
}
