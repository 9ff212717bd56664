import { ALL_TOOLS } from '../../../shared/tools/catalogue.ts'
import type { SourceFile } from './source-file.ts'

/** A tool, or a few that belong together, is one file in each of these folders and one line in each of these lists. */
const HOMES = [
  { folder: 'shared/tools', ending: '.ts', lists: ['shared/tools/catalogue.ts'] },
  // Tools for subagents are made where a session is put together.
  { folder: 'main/tools', ending: '.ts', lists: ['main/tools/create-tools.ts', 'main/compose/session-runtime.ts'] },
  { folder: 'renderer/tools', ending: '.tsx', lists: ['renderer/tools/views.ts'] },
] as const

/** What is missing or too much in the homes of the tools, in words. */
export function strayTools(files: readonly SourceFile[]): readonly string[] {
  const stems = HOMES.map(({ folder, ending, lists }) =>
    files.flatMap(({ path }) =>
      path.startsWith(`${folder}/`) && path.split('/').length === 3 && !(lists as readonly string[]).includes(path)
        ? [path.slice(folder.length + 1, -ending.length)]
        : [],
    ),
  )
  const all = [...new Set(stems.flat())]
  return HOMES.flatMap(({ folder, ending, lists }, at) => {
    const isList = ({ path }: SourceFile): boolean => (lists as readonly string[]).includes(path)
    const listed = new Set(files.filter(isList).flatMap(({ imports }) => imports.map(({ target }) => target)))
    return all.flatMap((stem) => {
      const path = `${folder}/${stem}${ending}`
      if (!stems[at]?.includes(stem)) return [`${path} is missing`]
      return listed.has(path) ? [] : [`${lists[0]} does not list ${stem}`]
    })
  })
}

/** Names that are also ordinary words; a comparison with one is found by its `toolName`. */
const isPlainWord = (name: string): boolean => !name.includes('_')

/**
 * Files that name tools by their nature, beside the lists: what models are told and offered, a model that is played, and the limits that the
 * specification sets by name.
 */
const NAMING = [
  'main/profiles/',
  'main/prompt/',
  'main/providers/rehearsal/',
  'main/tools/truncation/limits.ts',
  'main/embed/tools/truncation.ts',
]

/** Where main and renderer spell the name of a tool that they should take from its spec, or look at a tool name by hand. */
export function spelledToolNames(file: SourceFile): readonly string[] {
  if (!/^(?:main|renderer)\//u.test(file.path) || NAMING.some((place) => file.path.startsWith(place))) return []
  const names = ALL_TOOLS.map(({ name }) => name).filter((name) => !isPlainWord(name))
  const spelled = file.strings.filter(({ text }) => names.includes(text))
  return [
    ...spelled.map(({ text, line }) => `line ${line} spells '${text}': take the name from its spec`),
    ...file.toolNameChecks.map((line) => `line ${line} compares a tool name with a text: take the name from its spec`),
  ]
}
