/**
 * The first import of every entry point. Checks whether this version of Node and the native modules fit. If not, ends the process with a
 * message before anything is loaded that would crash. Can also be used with `node --import`, so that a Node that cannot run TypeScript
 * reports that. Compiled code is cached for the next launch.
 */
import { fileURLToPath } from 'node:url'
import { dirname, join } from 'node:path'
import { keepCompiled } from './bootstrap/compile-cache.mjs'
import { lacks } from './bootstrap/system-requirements.mjs'

/** @param {string} start */
function moduleFoldersAbove(start) {
  const folders = []
  for (let folder = start, parent = dirname(start); ; folder = parent, parent = dirname(parent)) {
    folders.push(join(folder, 'node_modules'), join(folder, 'app.asar.unpacked', 'node_modules'))
    if (folder === parent) return folders
  }
}

const found = lacks({
  nodeVersion: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  moduleFolders: moduleFoldersAbove(dirname(fileURLToPath(import.meta.url))),
  scriptsIgnored: process.env.npm_config_ignore_scripts === 'true',
})
for (const { words } of found) console.error(words)
if (found.some(({ fatal }) => fatal)) process.exit(1)
keepCompiled()
