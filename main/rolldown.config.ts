import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown'

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

const IMPORT_OF_NODE =
  /^import (?:(?<whole>[\w$]+)(?:, )?)?(?:\* as (?<all>[\w$]+))?(?:\{(?<names>[^}]*)\})? from "(?<name>node:[\w/]+)";$/gm

/**
 * Node's own modules are taken as they are. An `import` of one makes a second module of it and copies every export, for which Node then
 * loads what nobody asked for, such as its web streams and web crypto (measured: 4 ms of the start).
 */
const plainBuiltins: Plugin = {
  name: 'countersign-plain-builtins',
  renderChunk(code, { name }) {
    // An old Node, which has no such function, must be able to run the first lines to be told that it is too old.
    const module = (node: string): string =>
      name === 'preflight' ? `(process.getBuiltinModule?.("${node}") ?? (await import("${node}")))` : `process.getBuiltinModule("${node}")`
    const plain = code.replace(IMPORT_OF_NODE, (_, whole?: string, all?: string, names?: string, node: string = '') => {
      const taken = [whole, all, names && `{${names.replaceAll(' as ', ': ')}}`].filter(Boolean)
      return taken.map((one) => `const ${one} = ${module(node)};`).join(' ')
    })
    const left = /^import .*"node:.*$|^const process = process\b.*$/m.exec(plain)
    if (left) this.error(`An import of one of Node's modules has a form that is not known: ${left[0]}`)
    return plain
  },
}

const PLUGINS = [entries, lightSdk, plainBuiltins]
export const settings: RolldownOptions = { platform: 'node', external: OUTSIDE, plugins: PLUGINS }

export const output: OutputOptions = {
  dir: 'dist/main',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
}

/** The hash of each thread's file, which lies outside a packaged app's archive (`environment/worker-file.ts`). */
const workerHashes: Plugin = {
  name: 'countersign-worker-hashes',
  writeBundle({ dir = '' }) {
    const files = Object.keys(WORKERS).map((name) => `${name}.js`)
    if (!files.every((file) => existsSync(join(dir, file)))) return
    const hashes = files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex'),
    ])
    writeFileSync(join(dir, 'worker-hashes.json'), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`)
  },
}

/**
 * Each thread is one file: it shares none with the shells, which would load the whole app for a few lines, and needs none beside it, since it is
 * started from outside a packaged app's archive.
 */
export const threads: readonly RolldownOptions[] = Object.entries(WORKERS).map(([name, path]) => ({
  ...settings,
  plugins: [...PLUGINS, workerHashes],
  input: { [name]: here(path) },
  output: { ...output, codeSplitting: false },
}))

export default defineConfig([
  {
    ...settings,
    input: Object.fromEntries(ENTRIES.map((name) => [name, `${PREFIX}${name}`])),
    // What every shell loads at once is one file: each more costs half a millisecond of the start.
    output: { ...output, codeSplitting: { groups: [{ name: 'app', test: /main[\\/]compose[\\/]app\.ts$/ }] } },
  },
  ...threads,
])
