import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noticesPlugin } from './bootstrap/notices.mjs'
import { schemasToBuild } from './tools/define/input-schema.ts'
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown'

/** The shells that are shipped. */
const ENTRIES = ['index', 'serve', 'run'] as const

/**
 * These are loaded from `node_modules` at run time: Electron, native modules, and packages that find their binary relative to their own
 * path.
 */
const OUTSIDE = [/^electron($|\/)/, 'better-sqlite3', 'node-pty', '@vscode/ripgrep', 'bufferutil', 'utf-8-validate']

/** These files are started by file name, as threads or as a process, so each is built under its own name, next to the shells. */
const WORKERS = {
  'blame-worker': 'blame/blame-worker.ts',
  'comparison-worker': 'environment/comparison/comparison-worker.ts',
  'doctor-worker': 'store/doctor/doctor-worker.ts',
  'document-worker': 'tools/documents/document-worker.ts',
  'history-worker': 'history/history-worker.ts',
  'host-process': 'host-process/host-process.ts',
  'search-worker': 'environment/search/search-worker.ts',
  'storage-worker': 'store/cleaning/storage-worker.ts',
  'symbol-worker': 'environment/symbols/symbol-worker.ts',
  'tree-worker': 'environment/copy/changes/tree-worker.ts',
}

const PREFIX = 'entry:'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Each shell first imports the preflight, which checks this machine and switches on the compile cache, and then its own code. The cache
 * helps only modules that are loaded after it was switched on.
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

/** `Headers`, the last entry in OpenAI's list of global classes. Our code never passes it an instance of that class. */
const GLOBAL_BY_NAME = /(for \(const name of \[[^\]]*)'Headers',?(\s*\])/u

const SDK = /node_modules[\\/](@anthropic-ai[\\/]sdk|openai)[\\/]/

/**
 * Accessing Node's `Headers` or `Response` loads Node's complete HTTP client before the first request. This costs 44 and 68 ms of CPU time
 * at the start (medians of two series of 21 starts, alternately with and without it). The SDKs get our own classes instead. Two files of
 * OpenAI's SDK access them when they are loaded: one asks for `Response`, and one for the global with the name 'Headers'.
 */
const lightSdk: Plugin = {
  name: 'countersign-light-sdk',
  transform: {
    filter: { id: SDK, code: /\bHeaders\b|\bResponse\.prototype\b/ },
    handler(code) {
      const http = (file: string): string => JSON.stringify(here(`providers/http/${file}.ts`))
      const headers = /\bHeaders\b/u.test(code) ? `import { PlainHeaders as Headers } from ${http('plain-headers')}\n` : ''
      const response = code.includes('Response.prototype') ? `import { PlainResponse as Response } from ${http('plain-response')}\n` : ''
      return headers + response + code.replace(GLOBAL_BY_NAME, '$1$2')
    },
  },
}

/** One of the imports with which a chunk begins. */
const IMPORT = /\s*import\s*(?:(?<bound>[^"';]+?)\s*from\s*)?["'](?<module>[^"']+)["'];/uy

/**
 * Gets Node's modules without `import`, which reads all their exports and with them loads 24 more of Node's modules (streams of files, web
 * crypto, performance hooks, terminals, reports). This costs 10 ms of CPU time at each start of a shell or a thread. The preflight keeps its
 * imports, because a Node that is too old for `getBuiltinModule` must get far enough to say so.
 */
const lightNode: Plugin = {
  name: 'countersign-light-node',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || chunk.name === 'preflight') continue
      chunk.code = withoutImports(chunk.code)
      const [left] = LEFT_IMPORT.exec(chunk.code) ?? []
      if (left !== undefined) throw new Error(`The build cannot replace this import of ${chunk.fileName}: ${left}`)
    }
  },
}

const LEFT_IMPORT = /(?:^|[;}\n])\s*(?:import|export)\b[^;"'()]*["']node:[^"']*["']/u

function withoutImports(code: string): string {
  let head = ''
  let end = 0
  IMPORT.lastIndex = 0
  for (let found = IMPORT.exec(code); found; found = IMPORT.exec(code)) {
    const { bound, module = '' } = found.groups ?? {}
    // An import of one of Node's modules that binds nothing has no effect.
    if (!module.startsWith('node:')) head += found[0]
    else if (bound !== undefined) head += bindingOf(bound, module)
    end = IMPORT.lastIndex
  }
  return head + code.slice(end)
}

/** The statement that binds the same names as an import. The default export of one of Node's modules is the module. */
function bindingOf(bound: string, module: string): string {
  if (/\bdefault\b/u.test(bound)) throw new Error(`The build cannot replace this import of ${module}: ${bound}`)
  const names = bound.replaceAll(/\*\s*as\s+/gu, '').replaceAll(/\s+as\s+/gu, ':')
  const [, whole, parts] = /^([\w$]+)\s*,\s*(.+)$/su.exec(names) ?? []
  const node = `process.getBuiltinModule("${module}")`
  return whole === undefined ? `const ${names}=${node};` : `const ${whole}=${node},${parts}=${whole};`
}

/** Generates the tools' JSON schemas once during the build, not at each launch. */
const toolSchemas: Plugin = {
  name: 'countersign-tool-schemas',
  load: {
    filter: { id: /main[\\/]tools[\\/]define[\\/]built-schemas\.ts$/ },
    handler: () => `export const BUILT_SCHEMAS = JSON.parse(${JSON.stringify(JSON.stringify(schemasToBuild()))})`,
  },
}

function existing(path: string): string {
  if (!existsSync(path)) throw new Error(`There is no ${path}.`)
  return path
}

/** What more than one shell loads at the start, with all that these files import. */
const SHARED_AT_START = [
  'main/compose/app.ts',
  'main/compose/sandbox-use.ts',
  'main/environment/real-folders.ts',
  'main/host.ts',
  'main/places/probe.ts',
  'main/quit-questions.ts',
  'main/sessions/attached-pictures.ts',
  'main/store/blobs/blob-parts.ts',
  'main/store/data-folder.ts',
  'main/system-troubles.ts',
  'main/wrong-option.ts',
  'shared/api/mcp.ts',
].map((path) => existing(here(`../${path}`)))
const isSharedAtStart = (id: string): boolean => SHARED_AT_START.includes(id)

const PLUGINS = [entries, lightSdk, lightNode, toolSchemas, noticesPlugin(here('.'))]
export const settings: RolldownOptions = { platform: 'node', external: OUTSIDE, plugins: PLUGINS }

export const output: OutputOptions = {
  dir: 'dist/main',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
}

/** Writes the hash of each worker's file. A packaged app keeps these files outside its archive (`environment/worker-file.ts`). */
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
 * Each thread is one file without chunks. Chunks shared with the shells would load the entire app. In addition, a packaged app starts
 * threads from outside its archive, where there are no chunks.
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
    // Everything that a shell loads at the start is in few files, because each additional file takes half a millisecond.
    output: {
      ...output,
      codeSplitting: {
        groups: [
          { name: 'app', test: isSharedAtStart },
          { name: 'headless', test: /main[\\/]headless[\\/](task-or-rehearsal|run-task|headless-host|start[\\/](flags|given-place))\.ts$/ },
        ],
      },
    },
  },
  ...threads,
])
