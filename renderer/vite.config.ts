import { readdirSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { noticesPlugin } from '../main/bootstrap/notices.mjs'

/** Writes the list of the page's files for the shells, because they cannot list a folder inside the archive of a packaged app. */
const assetList: Plugin = {
  name: 'countersign-asset-list',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    writeFileSync(join(dir, 'asset-list.json'), `${JSON.stringify(paths.toSorted(), null, 2)}\n`)
  },
}

const notices = noticesPlugin(fileURLToPath(new URL('.', import.meta.url)))

/**
 * Builds the page that both shells serve under a content security policy: no inline script, data URLs only for images, workers as
 * separate files, and a nonce that the server inserts in each response.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vite', import.meta.url)),
  plugins: [react(), assetList, notices],
  resolve: {
    alias: [
      {
        find: /^(shiki\/(langs|wasm|engine\/oniguruma)|@pierre\/(highlights|highlights\/themes\/loader|theming\/themes))$/,
        replacement: fileURLToPath(new URL('ui/diff/colours/unused-library-parts.ts', import.meta.url)),
      },
    ],
  },
  html: { cspNonce: '__CSP_NONCE__' },
  worker: { format: 'es', plugins: () => [{ name: notices.name, generateBundle: notices.generateBundle }] },
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome140',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4_000,
  },
})
