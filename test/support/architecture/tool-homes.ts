import { dirname } from 'node:path'
import { ALL_TOOLS } from '../../../shared/tools/catalogue.ts'
import type { SourceFile } from './source-file.ts'

/** The folders in which a tool (or a few tools that belong together) has one file, with the lists in which it has one line. */
const HOMES = [
  { folder: 'shared/tools/built-in', lists: ['shared/tools/catalogue.ts'] },
  // Tools for subagents, for searching MCP tools for bringing in and for the steps of other agents are created where a session is put together.
  {
    folder: 'main/tools/built-in',
    lists: [
      'main/tools/create-tools.ts',
      'main/compose/session-runtime.ts',
      'main/compose/session-places/session-place.ts',
      'main/compose/session-places/foreign-session.ts',
      'main/compose/mcp-servers.ts',
    ],
  },
] as const

/** A tool has a file in this folder only if it is shown differently from what its spec says. */
const VIEWS = { folder: 'renderer/tools', lists: ['renderer/tools/views.ts'] } as const

/** Returns what is missing or superfluous in the folders and lists of the tools. */
export function strayTools(files: readonly SourceFile[]): readonly string[] {
  const all = [...new Set(HOMES.flatMap((home) => stemsIn(home, files)))]
  const stray = HOMES.flatMap((home) => {
    const listed = new Set(files.filter(({ path }) => isList(home, path)).flatMap(({ imports }) => imports.map(({ target }) => target)))
    const own = stemsIn(home, files)
    return all.flatMap((stem) => {
      if (!own.includes(stem)) return [`${home.folder}/${stem}.ts is missing`]
      return listed.has(`${home.folder}/${stem}.ts`) ? [] : [`${home.lists[0]} does not list ${stem}`]
    })
  })
  const views = stemsIn(VIEWS, files).filter((stem) => !all.includes(stem))
  return [...stray, ...views.map((stem) => `${VIEWS.folder}/${stem} is no tool of shared/tools/built-in`)]
}

interface Home {
  readonly folder: string
  readonly lists: readonly string[]
}

const isList = ({ lists }: Home, path: string): boolean => lists.includes(path)

/** Returns the names, without extension, of the files directly in a folder. The lists are left out. */
function stemsIn(home: Home, files: readonly SourceFile[]): readonly string[] {
  const own = files.filter(({ path }) => dirname(path) === home.folder && !isList(home, path))
  return own.map(({ path }) => path.slice(home.folder.length + 1).replace(/\.tsx?$/u, ''))
}

/** Whether a tool name is also an ordinary word. Such a name is reported only where a `toolName` is compared with it. */
const isPlainWord = (name: string): boolean => !name.includes('_')

/**
 * Files that must contain tool names, apart from the lists: what models are told and offered, a simulated model, and the limits that the
 * specification sets for individual tools.
 */
const NAMING = [
  'main/model-families/',
  'main/prompt/',
  'main/providers/rehearsal/',
  'main/tools/truncation/truncation-limits.ts',
  'main/embed/tools/truncation.ts',
]

/**
 * Returns the lines in main and renderer that spell a tool's name instead of taking it from its spec, or that check a tool name by hand.
 */
export function spelledToolNames(file: SourceFile): readonly string[] {
  if (!/^(?:main|renderer)\//u.test(file.path) || NAMING.some((place) => file.path.startsWith(place))) return []
  const names = ALL_TOOLS.map(({ name }) => name).filter((name) => !isPlainWord(name))
  const spelled = file.strings.filter(({ text }) => names.includes(text))
  return [
    ...spelled.map(({ text, line }) => `line ${line} spells '${text}': take the name from its spec`),
    ...file.toolNameChecks.map((line) => `line ${line} compares a tool name with a text: take the name from its spec`),
  ]
}
