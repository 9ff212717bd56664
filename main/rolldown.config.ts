import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'rolldown'

/** The shells that are shipped. `driver.ts` is for conformance suites and runs from source. */
const ENTRIES = ['index', 'serve', 'run'] as const

/** Loaded from `node_modules` at run time: Electron itself, native modules, and what finds its own binary by its place. */
const OUTSIDE = [/^electron($|\/)/, 'better-sqlite3', 'node-pty', '@vscode/ripgrep', 'bufferutil', 'utf-8-validate']

/** Started by file name as threads of their own, so they lie beside the shells under their own names. */
const WORKERS = {
  'document-worker': 'tools/documents/document-worker.ts',
  'search-worker': 'environment/search/search-worker.ts',
}

const PREFIX = 'entry:'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Each shell begins with two lines of its own: whether it can run here, which switches the compile cache on, and only then its code,
 * since a cache that is switched on by a module no longer helps the modules loaded together with it.
 */
const entries: Plugin = {
  name: 'countersign-entries',
  resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
  load: (id) => {
    if (!id.startsWith(`\0${PREFIX}`)) return null
    const file = (path: string): string => JSON.stringify(here(path))
    return [`import ${file('preflight.mjs')}`, `await import(${file(`${id.slice(PREFIX.length + 1)}.ts`)})`].join('\n')
  },
}

const SDK = /node_modules[\\/](@anthropic-ai[\\/]sdk|openai)[\\/]/

/**
 * Asking Node for `Headers` or `ReadableStream` loads its own HTTP client (30 ms) and its streams (2 ms), before the first request. The SDK
 * gets a class of ours for the one, and does without the other, in which it only looks whether a body is one: ours never are.
 */
const lightSdk: Plugin = {
  name: 'countersign-light-sdk',
  transform: {
    filter: { id: SDK, code: /\bHeaders\b/ },
    handler: (code) =>
      `import { PlainHeaders as Headers } from ${JSON.stringify(here('providers/http/plain-headers.ts'))}\n` +
      code.replaceAll(/globalThis\.ReadableStream\b/g, 'undefined'),
  },
}

export default defineConfig({
  input: {
    ...Object.fromEntries(ENTRIES.map((name) => [name, `${PREFIX}${name}`])),
    ...Object.fromEntries(Object.entries(WORKERS).map(([name, path]) => [name, here(path)])),
  },
  platform: 'node',
  external: OUTSIDE,
  plugins: [entries, lightSdk],
  output: {
    dir: 'dist/main',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
  },
})
