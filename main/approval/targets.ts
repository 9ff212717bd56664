import { posix } from 'node:path'
import { DESTROYING_PROGRAMS } from './destructive-programs.ts'
import { writtenByFind } from './find-words.ts'
import { gitTargets } from './git-words.ts'
import { argumentsOf, type Arguments } from './option-values.ts'
import { programOf } from './program-words.ts'
import type { ShellWord } from './simple-command.ts'
import { isTold } from './spellings.ts'
import { fileTarget, folderTarget, type Target } from './target.ts'
import { type Writer, WRITERS } from './writers.ts'

/** What stands for a file that the words do not tell. */
const UNTOLD: ShellWord = { text: '$()', expands: true }
const HERE: ShellWord = { text: '.', expands: false }

/** Programs that open what they are told to write; the others (mv, ln, install, sed -i) put a new file in its place. */
const OPENERS: ReadonlySet<string> = new Set(['tee', 'cp', 'dd', 'touch', 'sort', 'curl', 'wget', 'tar', 'find'])
const REPLACES = /^(?:-[a-zA-Z]*[lsb]|--link|--symbolic-link|--remove-destination|--backup)/u

export function opensTargets(program: string, words: readonly ShellWord[]): boolean {
  return OPENERS.has(program) && !(program === 'cp' && words.some(({ text }) => REPLACES.test(text)))
}

/** The files and folders that one simple command writes, as far as its words name them. */
export function targetsOf([name, ...rest]: readonly ShellWord[]): readonly Target[] {
  if (name === undefined) return []
  const program = programOf(name)
  switch (program) {
    case 'dd':
      return rest.flatMap(({ text, expands }) => (text.startsWith('of=') ? [fileTarget({ text: text.slice(3), expands })] : []))
    case 'tar':
    case 'bsdtar':
    case 'gtar':
      return tarTargets(rest)
    case 'git':
      return gitTargets(rest)
    case 'find':
      return writtenByFind(rest).map(fileTarget)
  }
  const writer = WRITERS.get(program)
  if (writer) return writtenBy(program, writer, argumentsOf(rest, writer))
  return DESTROYING_PROGRAMS.has(program) ? argumentsOf(rest, { short: '' }).operands.map(fileTarget) : []
}

function writtenBy(program: string, writer: Writer, args: Arguments): readonly Target[] {
  const { values, flags } = args
  const has = (names: readonly string[] = []): boolean =>
    names.some((one) => flags.includes(one) || values.some(({ name }) => name === one))
  if (writer.only && !has(writer.only)) return program === 'sed' ? writtenByScripts(args) : []
  const named = (names: readonly string[] = []): readonly ShellWord[] =>
    values.filter(({ name }) => names.includes(name)).map(({ word }) => word)
  const files = named(writer.files).map(fileTarget)
  const folders = named(writer.folders)
  const hidden = has(writer.hides) ? [fileTarget(UNTOLD)] : []
  const scripted = program === 'sed' ? writtenByScripts(args) : []
  return [...files, ...hidden, ...scripted, ...saved(writer, args, folders, has), ...operandTargets(writer, args, folders)]
}

function operandTargets(writer: Writer, { operands, values }: Arguments, folders: readonly ShellWord[]): readonly Target[] {
  switch (writer.operands) {
    case 'none':
      return folders.map((word) => folderTarget(word))
    case 'all': {
      const hasScript = writer.scriptUnless === undefined || values.some(({ name }) => isScriptOption(name, writer))
      return [...folders.map((word) => folderTarget(word)), ...operands.slice(hasScript ? 0 : 1).map(fileTarget)]
    }
    case 'into':
      return [...(writer.changesSources ? operands.map(fileTarget) : []), ...intoTargets(operands, folders)]
  }
}

const isScriptOption = (name: string, { scriptUnless = '' }: Writer): boolean =>
  scriptUnless.includes(name[0] ?? ' ') && (name.length === 1 || name === 'expression' || name === 'file')

/** `cp a b`: b, or b/a where b is a folder. */
function intoTargets(operands: readonly ShellWord[], folders: readonly ShellWord[]): readonly Target[] {
  if (folders.length > 0) return folders.map((word) => folderTarget(word, namesOf(operands)))
  const sources = operands.length > 1 ? operands.slice(0, -1) : operands
  const last = operands.length > 1 ? operands.at(-1) : HERE
  if (last === undefined || /^[^/]+:/u.test(last.text)) return []
  const isFolder = sources.length > 1 || /(?:^|\/)\.{0,2}$/u.test(last.text)
  return [{ word: last, into: namesOf(sources), isFolder }]
}

function namesOf(sources: readonly ShellWord[]): readonly string[] {
  return sources.filter(isTold).flatMap(({ text }) => {
    const name = posix.basename(text)
    return name === '' || name === '.' || name === '..' ? [] : [name]
  })
}

/** What keeps its name of the network. */
function saved(
  { saves }: Writer,
  { operands }: Arguments,
  folders: readonly ShellWord[],
  has: (names?: readonly string[]) => boolean,
): readonly Target[] {
  if (saves === undefined || (saves !== 'always' && !has(saves)) || (saves === 'always' && has(['O', 'output-document']))) return []
  const names = operands.filter(isTold).flatMap(({ text }) => {
    const name = posix.basename(text.replace(/[?#].*$/su, '').replace(/^[a-z]+:\/\/[^/]*/iu, ''))
    return name === '' ? [] : [name]
  })
  return (folders.length > 0 ? folders : [HERE]).map((word) => folderTarget(word, names))
}

/** `w file` in a script of sed. */
function writtenByScripts({ operands, values }: Arguments): readonly Target[] {
  const said = values.filter(({ name }) => name === 'e' || name === 'expression').map(({ word }) => word)
  const scripts = said.length > 0 ? said : operands.slice(0, 1)
  return scripts.flatMap(({ text }) =>
    [...text.matchAll(/(?:^|[\s;{}!\d$/|#,gpI])w\s+([^\s;}]+)/gu)].map(([, file = '']) => fileTarget({ text: file, expands: false })),
  )
}

const TAR = { short: 'CfbHIKLNTVXgF', long: ['file', 'directory', 'exclude', 'transform', 'strip-components', 'one-top-level'] }

function tarTargets(words: readonly ShellWord[]): readonly Target[] {
  const [first, ...rest] = words
  const old = first !== undefined && /^[a-zA-Z]+$/u.test(first.text) ? first.text : ''
  const valued = [...old].filter((letter) => TAR.short.includes(letter))
  const bundled = valued.flatMap((name, at) => (rest[at] ? [{ name, word: rest[at] }] : []))
  const args = argumentsOf(old === '' ? words : rest.slice(valued.length), TAR)
  const values = [...bundled, ...args.values]
  const flags = [...old, ...args.flags]
  const has = (...names: readonly string[]): boolean => names.some((name) => flags.includes(name))
  const named = (...names: readonly string[]): readonly ShellWord[] =>
    values.filter(({ name }) => names.includes(name)).map(({ word }) => word)
  const archives = has('c', 'r', 'u', 'A', 'create', 'append', 'update', 'catenate', 'delete')
    ? named('f', 'file').filter(({ text }) => text !== '-')
    : []
  if (!has('x', 'extract', 'get')) return archives.map(fileTarget)
  const anywhere = has('P', 'absolute-names') ? [fileTarget(UNTOLD)] : []
  return [...anywhere, ...named('C', 'directory', 'one-top-level').map((word) => folderTarget(word))]
}
