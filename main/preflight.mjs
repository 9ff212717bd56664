/**
 * The first import of every entry: looks whether this Node and the native modules fit, and ends the process with words where
 * they do not, before anything that would crash it is loaded. Starts nothing and loads nothing. `node --import` takes it
 * too, which lets an old Node that cannot read TypeScript say so, and keeps what is then compiled from source for the next start.
 */
import { fileURLToPath } from 'node:url'
import { dirname, join } from 'node:path'
import { keepCompiled } from './bootstrap/compile-cache.mjs'
import { lacks } from './bootstrap/requirements.mjs'

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
