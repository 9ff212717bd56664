import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page that both shells serve, under the content security policy of DESIGN §8: no inline script, no data URL but for
 * images, workers as files of their own, and a nonce that the server puts in anew for each response.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vite', import.meta.url)),
  plugins: [react()],
  resolve: {
    alias: [
      {
        find: /^(shiki\/(langs|wasm|engine\/oniguruma)|@pierre\/(highlights|highlights\/themes\/loader|theming\/themes))$/,
        replacement: fileURLToPath(new URL('ui/diff/left-out.ts', import.meta.url)),
      },
    ],
  },
  html: { cspNonce: '__CSP_NONCE__' },
  worker: { format: 'es' },
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
