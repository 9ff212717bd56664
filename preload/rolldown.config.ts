import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

/** Builds one CommonJS file, because a sandboxed preload can require only `electron`. */
export default defineConfig({
  input: { index: fileURLToPath(new URL('index.ts', import.meta.url)) },
  platform: 'node',
  external: ['electron'],
  output: { dir: 'dist/preload', format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
})
