import { basename } from 'node:path'
import type { SourceFile } from './source-file.ts'
import { spelledToolNames } from './tool-homes.ts'

/** A place where a rule is broken, with an explanation for the developer. */
export interface Breach {
  readonly rule: RuleName
  readonly file: string
  readonly words: string
}

export type RuleName = keyof typeof RULES | typeof FOLDERS_ARE_SMALL

/**
 * Third-party packages, each with the folder (rarely two) that may import it (DESIGN §2). This list is for main, where zod may be imported
 * anywhere.
 */
const HOMES: Readonly<Record<string, string | readonly string[]>> = {
  // Countersign is an agent for editors, and an editor for agents.
  '@agentclientprotocol/sdk': ['main/acp', 'main/foreign-agents/protocol'],
  '@anthropic-ai/sdk': 'main/providers',
  '@electron/fuses': 'main/electron',
  '@google/genai': 'main/providers',
  '@modelcontextprotocol/client': 'main/mcp',
  '@mozilla/readability': 'main/tools/documents',
  '@vscode/ripgrep': 'main/environment',
  '@xterm/addon-serialize': 'main/environment',
  '@xterm/headless': 'main/environment',
  'better-sqlite3': 'main/store',
  electron: 'main/electron',
  'electron-updater': 'main/electron',
  linkedom: 'main/tools/documents',
  'node-pty': 'main/environment',
  openai: 'main/providers',
  tinyglobby: 'main/environment',
  turndown: 'main/tools/documents',
  unpdf: 'main/tools/documents',
  unbash: 'main/approval/command-line',
  ws: 'main/http',
  yaml: 'main/prompt',
  'smol-toml': 'main/prompt',
}

/** The same list for the page. Null means that the entire page may import the package. */
const PAGE_HOMES: Readonly<Record<string, string | null>> = {
  '@pierre/diffs': 'renderer/ui/diff',
  '@shikijs/langs': 'renderer/ui/diff',
  '@tanstack/react-virtual': 'renderer/ui/hooks',
  '@xterm/addon-fit': 'renderer/ui/terminal',
  '@xterm/xterm': 'renderer/ui/terminal',
  'lucide-react': null,
  marked: 'renderer/features/ledger',
  react: null,
  'react-dom': null,
  zustand: null,
}

/** The modules of Node that reach outside the process, with the folders that may import them. */
const REACHING_OUT: Readonly<Record<string, readonly string[]>> = {
  'node:fs': [
    'main/environment',
    'main/store',
    'main/settings',
    'main/rules',
    'main/http',
    'main/electron',
    'main/host-process',
    'main/places',
    'main/providers/rehearsal',
    'main/bootstrap',
  ],
  // These get absolute paths, which `own-programs.ts` has checked or the sandbox confines: a name in PATH may lead to a program that the
  // agent wrote. To start a program, use `runOwnProgram`.
  'node:child_process': [
    'main/environment/layers/overlay/start-in-layer.ts',
    'main/environment/open-in-editor.ts',
    'main/environment/own-programs/run-own-program.ts',
    'main/environment/process/find-processes.ts',
    'main/environment/process/open-program.ts',
    'main/environment/process/process-table.ts',
    'main/environment/process/spawn-program.ts',
    'main/environment/process/start-on-pipes.ts',
    'main/environment/shell-variables/read-shell-variables.ts',
    'main/host-process/far/daemon.ts',
    'main/host-process/near/local-host.ts',
    'main/places/programs.ts',
    'main/bootstrap',
  ],
}

/** The modules of Node that the agent loop may use. They only compute and do not reach outside the process. */
const PURE_NODE = ['node:async_hooks', 'node:buffer', 'node:crypto', 'node:path', 'node:stream', 'node:util']

/** What all of main may import from the agent: its ports and the few values that belong to them. */
const AGENT_CONTRACT = [
  'main/agent/ports',
  'main/agent/storage-error.ts',
  'main/agent/blob-hash.ts',
  'main/agent/abortable.ts',
  'main/agent/one-look.ts',
  'main/agent/event-loop-slices.ts',
  'main/agent/record/retry-while-locked.ts',
  'main/agent/reason.ts',
  'main/agent/tool-output.ts',
  'main/agent/layer-file.ts',
]

/** Folders that may build a session from the agent's parts. The rest of main knows only the agent's ports. */
const AGENT_USERS = ['main/agent', 'main/compose', 'main/embed', 'main/sessions', 'main/subagents']

/** Names that are too vague for a file or folder, because anything would fit under them. */
const VAGUE = new Set(['manager', 'managers', 'helper', 'helpers', 'util', 'utils', 'utility', 'utilities', 'service', 'services'])

const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 100
const MAX_FOLDER_FILES = 20

/** A folder with one file for each tool, all in one list, is read like a list. */
const isList = (folder: string): boolean => basename(folder) === 'built-in'

const FOLDERS_ARE_SMALL = 'folders are small'

/** The composition root is one long list of parts, which is read from top to bottom. */
const maxFunctionLines = ({ path }: SourceFile): number => (isIn(path, 'main/compose') ? 120 : MAX_FUNCTION_LINES)

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}.`)
const isOurs = (target: string): boolean => /^(main|preload|renderer|shared|test)\//.test(target)
const isConfig = (path: string): boolean => path.endsWith('.config.ts')
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * Returns a rule that checks the imports of each file in a folder. `forbids` returns an explanation, or null if the import is allowed.
 */
function imports(folder: string, forbids: (target: string, path: string) => string | null): (file: SourceFile) => readonly string[] {
  return (file) =>
    isIn(file.path, folder) && !isConfig(file.path)
      ? file.imports.flatMap(({ target, line }) => {
          const words = forbids(target, file.path)
          return words === null ? [] : [`line ${line} imports ${target}: ${words}`]
        })
      : []
}

/** Each rule checks one file and returns what is wrong in it. */
const RULES = {
  'shared is pure': imports('shared', (target, path) =>
    isIn(target, 'shared') || target === 'zod' || (packageOf(target) === 'diff' && path === 'shared/lib/lines/line-diff.ts')
      ? null
      : 'shared imports zod and itself only; line-diff.ts also imports diff, which is pure and serves main and the page',
  ),

  'renderer stays in the page': imports('renderer', (target) => {
    if (isOurs(target)) return isIn(target, 'renderer') || isIn(target, 'shared') ? null : 'the page knows itself and shared only'
    return target.startsWith('node:') || packageOf(target) === 'electron' ? 'a page has neither Node nor Electron' : null
  }),

  'main has no page': imports('main', (target) =>
    isOurs(target) && !isIn(target, 'main') && !isIn(target, 'shared') ? 'main knows itself and shared only' : null,
  ),

  'preload passes messages': imports('preload', (target) =>
    isIn(target, 'preload') || isIn(target, 'shared') || target === 'electron' ? null : 'preload knows shared and Electron only',
  ),

  'features meet in state and ui': imports('renderer/features', (target, path) => {
    const feature = (of: string): string | undefined => of.split('/')[2]
    return isIn(target, 'renderer/features') && feature(target) !== feature(path) ? 'another feature' : null
  }),

  'ui knows no state': imports('renderer/ui', (target) =>
    !isOurs(target) || ['renderer/ui', 'renderer/styles', 'shared'].some((folder) => isIn(target, folder))
      ? null
      : 'ui shows what it is given',
  ),

  'state knows no screen': imports('renderer/state', (target) => (isIn(target, 'renderer/features') ? 'features read state' : null)),

  'each package has one home': imports('main', (target, path) => {
    if (target.startsWith('node:') || isOurs(target) || target === 'zod') return null
    const home = HOMES[packageOf(target)]
    if (home === undefined) return 'a package without a home: give it one in test/support/architecture/rules.ts'
    return [home].flat().some((folder) => isIn(path, folder)) ? null : `its home is ${[home].flat().join(' or ')}`
  }),

  'each package of the page has one home': imports('renderer', (target, path) => {
    if (target.startsWith('node:') || packageOf(target) === 'electron' || isOurs(target) || target === 'zod') return null
    const home = PAGE_HOMES[packageOf(target)]
    if (home === undefined) return 'a package without a home: give it one in test/support/architecture/rules.ts'
    return home === null || isIn(path, home) ? null : `its home is ${home}`
  }),

  'few reach out of the process': imports('main', (target, path) => {
    const folders = REACHING_OUT[packageOf(target)]
    return folders && !folders.some((folder) => isIn(path, folder)) ? `only ${folders.join(', ')} may` : null
  }),

  'the agent knows its ports only': imports('main/agent', (target) => {
    if (isOurs(target)) return isIn(target, 'main/agent') || isIn(target, 'shared') ? null : 'the loop is given what it needs'
    return target === 'zod' || PURE_NODE.includes(target) ? null : 'the loop reaches nothing outside'
  }),

  'arrows point at the ports': imports('main', (target, path) =>
    isIn(target, 'main/agent') && !AGENT_CONTRACT.some((part) => isIn(target, part)) && !AGENT_USERS.some((user) => isIn(path, user))
      ? 'the inside of the agent; its ports are in main/agent/ports'
      : null,
  ),

  'ports are types': (file) =>
    isIn(file.path, 'main/agent/ports') ? file.runtimeStatements.map((line) => `line ${line} is code; a port is an interface`) : [],

  'no barrels': (file) => [
    // The package entry exists to re-export what hosts may use.
    ...(isIn(file.path, 'test') || file.path === 'main/agent-entry.ts' ? [] : file.reexports).map(
      (line) => `line ${line} hands on another file's exports`,
    ),
    ...(/(^|\/)index\.tsx?$/.test(file.path) && !['main/index.ts', 'preload/index.ts'].includes(file.path)
      ? ['only shells are called index']
      : []),
  ],

  'names say what a thing is': (file) => {
    const fileName = file.path.split('/').at(-1) ?? ''
    return [fileName, ...file.exported]
      .filter((name) => wordsOf(name).some((word) => VAGUE.has(word)))
      .map((name) => `"${name}" says nothing`)
  },

  'files are short': (file) =>
    file.lines > MAX_FILE_LINES ? [`${file.lines} lines, at most ${MAX_FILE_LINES}: which second idea has grown in it?`] : [],

  // Tests consist of long sequences.
  'functions are short': (file) =>
    isIn(file.path, 'test')
      ? []
      : file.functions
          .filter(({ lines }) => lines > maxFunctionLines(file))
          .map(({ name, line, lines }) => `${name} (line ${line}) has ${lines} lines, at most ${maxFunctionLines(file)}`),

  'one statement does one thing': (file) =>
    file.packed.map((line) => `line ${line} packs several values into one: write them out, one below the other`),

  'random tests run whole in the slow run': (file) =>
    file.path.endsWith('.property.test.ts')
      ? []
      : file.imports
          .filter(({ target }) => target === 'test/random-runs.ts')
          .map(({ line }) => `line ${line} runs a tenth in npm test, but the slow run leaves this file out: name it *.property.test.ts`),

  // ICU's tables take 13 ms of a start. `groupedCount` writes the same.
  'numbers are written without ICU': (file) =>
    isIn(file.path, 'main') && file.names.includes('toLocaleString')
      ? ['toLocaleString loads ICU: use groupedCount of shared/lib/short-count.ts']
      : [],

  'tools are named by their specs': spelledToolNames,

  'no fakes of our own parts': (file) => file.moduleMocks.map((line) => `line ${line} replaces a module by a fake`),
} as const satisfies Readonly<Record<string, (file: SourceFile) => readonly string[]>>

export const RULE_NAMES: readonly RuleName[] = [...(Object.keys(RULES) as (keyof typeof RULES)[]), FOLDERS_ARE_SMALL]

export function breaches(files: readonly SourceFile[]): readonly Breach[] {
  const ofFiles = files.flatMap((file) =>
    (Object.keys(RULES) as (keyof typeof RULES)[]).flatMap((rule) => RULES[rule](file).map((words) => ({ rule, file: file.path, words }))),
  )
  return [...ofFiles, ...largeFolders(files)]
}

/** Returns folders with too many files directly in them. Style sheets count, tests do not. */
function largeFolders(files: readonly SourceFile[]): readonly Breach[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    if (isIn(path, 'test')) continue
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_FOLDER_FILES && !isList(folder))
    .map(([file, count]) => ({
      rule: FOLDERS_ARE_SMALL,
      file,
      words: `${count} files, at most ${MAX_FOLDER_FILES}: give a part of them a folder of its own`,
    }))
}
