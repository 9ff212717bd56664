import { basename, delimiter, join } from 'node:path'
import { homedir } from 'node:os'
import type { FoundEditors } from '../../shared/api/app.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { parseAddress } from '../../shared/places/address.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { ownProgram } from './own-programs/own-programs.ts'

/** How an editor accepts the line: `file:line`, `-g file:line`, `--line N file`, `+N file`, or not at all. */
type LineStyle = 'colon' | 'goto' | 'flag' | 'plus' | 'none'

interface KnownEditor {
  readonly id: string
  readonly label: string
  readonly programs: readonly string[]
  readonly line: LineStyle
  /** How the editor opens files on an ssh machine. Absent if it cannot. */
  readonly remote?: 'vs-code' | 'zed'
  /** The editor's program inside the applications folder of macOS, used if the editor is not on PATH. */
  readonly mac?: string
}

const vsCode = (app: string, program: string): string => `${app}.app/Contents/Resources/app/bin/${program}`
const jetBrains = (id: string, label: string): KnownEditor => ({
  id,
  label,
  programs: [id, `${id}64`, `${id}.sh`],
  line: 'flag',
  mac: `${label}.app/Contents/MacOS/${id}`,
})

/** Editors with their own window, in the order in which "automatic" tries them. */
const EDITORS: readonly KnownEditor[] = [
  { id: 'code', label: 'VS Code', programs: ['code'], line: 'goto', remote: 'vs-code', mac: vsCode('Visual Studio Code', 'code') },
  { id: 'cursor', label: 'Cursor', programs: ['cursor'], line: 'goto', remote: 'vs-code', mac: vsCode('Cursor', 'cursor') },
  { id: 'windsurf', label: 'Windsurf', programs: ['windsurf'], line: 'goto', remote: 'vs-code', mac: vsCode('Windsurf', 'windsurf') },
  { id: 'codium', label: 'VSCodium', programs: ['codium', 'vscodium'], line: 'goto', remote: 'vs-code', mac: vsCode('VSCodium', 'codium') },
  { id: 'zed', label: 'Zed', programs: ['zed', 'zeditor'], line: 'colon', remote: 'zed', mac: 'Zed.app/Contents/MacOS/cli' },
  {
    id: 'sublime',
    label: 'Sublime Text',
    programs: ['subl', 'sublime_text'],
    line: 'colon',
    mac: 'Sublime Text.app/Contents/SharedSupport/bin/subl',
  },
  jetBrains('idea', 'IntelliJ IDEA'),
  jetBrains('webstorm', 'WebStorm'),
  jetBrains('pycharm', 'PyCharm'),
  jetBrains('goland', 'GoLand'),
  jetBrains('rustrover', 'RustRover'),
  jetBrains('clion', 'CLion'),
  jetBrains('phpstorm', 'PhpStorm'),
  jetBrains('rubymine', 'RubyMine'),
  jetBrains('rider', 'Rider'),
  { id: 'kate', label: 'Kate', programs: ['kate', 'kwrite'], line: 'flag' },
  { id: 'gedit', label: 'gedit', programs: ['gedit'], line: 'plus' },
  { id: 'gnome-text-editor', label: 'GNOME Text Editor', programs: ['gnome-text-editor'], line: 'none' },
  { id: 'gvim', label: 'gVim', programs: ['gvim', 'mvim'], line: 'plus' },
  { id: 'mousepad', label: 'Mousepad', programs: ['mousepad'], line: 'none' },
  { id: 'notepad', label: 'Notepad', programs: ['notepad'], line: 'none' },
]

/** Editors that need a terminal. Without a terminal they would wait forever, unseen. */
const IN_A_TERMINAL = /^(?:vi|vim|nvim|view|nano|pico|emacs|emacsclient|hx|helix|micro|joe|jed|ne|mcedit|kak|ed|ex|amp)(?:\.exe)?$/iu

export interface EditorRun {
  readonly label: string
  readonly argv: readonly [string, ...string[]]
}

/**
 * The program and arguments to open a file in an editor. `file`: an absolute path, or the address of a file on another machine. `line`
 * counts from 1 and may be null. `choice` is `automatic`, `visual` (the command in `$VISUAL`) or an editor's id. `env` comes from
 * `personProgramEnvironment`.
 */
export function editorRun(choice: string, file: string, line: number | null, env: Env): Result<EditorRun, Trouble> {
  const visual = visualOf(env)
  if (choice === 'visual') return fromVisual(visual, file, line)
  if (choice === 'automatic') {
    if (visual?.kind === 'windowed') {
      const run = fromVisual(visual, file, line)
      if (run.ok) return run
    }
    for (const editor of EDITORS) {
      const program = programOf(editor, env)
      const args = argumentsFor(editor, file, line)
      if (program !== null && args !== null) return ok({ label: editor.label, argv: [program, ...args] })
    }
    if (parseAddress(file).place !== null) return failed(notRemote(null))
    return failed(visual?.kind === 'terminal' ? inATerminal(visual.name) : NONE_FOUND)
  }
  const editor = EDITORS.find(({ id }) => id === choice)
  const program = editor ? programOf(editor, env) : null
  if (!editor || program === null) return failed(notFound(editor?.label ?? choice))
  const args = argumentsFor(editor, file, line)
  return args === null ? failed(notRemote(editor.label)) : ok({ label: editor.label, argv: [program, ...args] })
}

/** The editors that can be chosen on this machine. */
export function foundEditors(env: Env): FoundEditors {
  const visual = visualOf(env)
  return {
    editors: EDITORS.filter((editor) => programOf(editor, env) !== null).map(({ id, label }) => ({ id, label })),
    visual: visual && { name: visual.name, needsTerminal: visual.kind === 'terminal' },
  }
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * `windowed`: a known editor with its own window. An `unknown` editor may need a terminal, so it is started only if the user chose it.
 */
interface Visual {
  readonly kind: 'windowed' | 'terminal' | 'unknown'
  readonly name: string
  readonly argv: readonly [string, ...string[]]
  readonly editor: Pick<KnownEditor, 'line' | 'remote'>
}

function visualOf(env: Env): Visual | null {
  const [first, ...more] = wordsOf(env['VISUAL'] ?? '')
  if (first === undefined) return null
  const program = ownProgram(first, env['PATH'] ?? env['Path'])
  const name = basename(first)
  const known = EDITORS.find(({ programs }) => programs.includes(name.replace(/\.exe$/iu, '')))
  const inTerminal = IN_A_TERMINAL.test(name)
  if (program === null && !inTerminal) return null
  return {
    kind: inTerminal ? 'terminal' : known ? 'windowed' : 'unknown',
    name,
    argv: [program ?? first, ...more],
    editor: known ?? { line: 'none' },
  }
}

function fromVisual(visual: Visual | null, file: string, line: number | null): Result<EditorRun, Trouble> {
  if (visual === null) return failed(notFound('The program in $VISUAL'))
  if (visual.kind === 'terminal') return failed(inATerminal(visual.name))
  const [program, ...flags] = visual.argv
  const args = argumentsFor(visual.editor, file, line)
  return args === null ? failed(notRemote(visual.name)) : ok({ label: visual.name, argv: [program, ...flags, ...args] })
}

/** Splits a command line into words. Quotes group words. No other character is special. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')
}

/** Null if the file is on another machine and the editor cannot open it. */
function argumentsFor(
  { line: style, remote }: Pick<KnownEditor, 'line' | 'remote'>,
  file: string,
  line: number | null,
): readonly string[] | null {
  const { place, folder: path } = parseAddress(file)
  if (place === null) return atLine(style, file, line)
  if (place.kind !== 'ssh' || remote === undefined) return null
  const host = place.port === null ? place.host : `${place.host}:${place.port}`
  return remote === 'zed' ? atLine(style, file, line) : ['--remote', `ssh-remote+${host}`, ...atLine(style, path, line)]
}

/** All paths are absolute, so none can be mistaken for an option. */
function atLine(style: LineStyle, file: string, line: number | null): readonly string[] {
  // A colon in the file name would be mistaken for the start of a line number.
  const isPlain = !basename(file).includes(':')
  if (line === null) return [file]
  switch (style) {
    case 'goto':
      return isPlain ? ['-g', `${file}:${line}`] : [file]
    case 'colon':
      return isPlain ? [`${file}:${line}`] : [file]
    case 'flag':
      return ['--line', String(line), file]
    case 'plus':
      return [`+${line}`, file]
    case 'none':
      return [file]
  }
}

function programOf({ programs, mac }: KnownEditor, env: Env): string | null {
  const toolbox = join(homedir(), '.local', 'share', 'JetBrains', 'Toolbox', 'scripts')
  const path = [env['PATH'] ?? env['Path'] ?? '', toolbox].join(delimiter)
  const places = process.platform === 'darwin' && mac !== undefined ? ['/Applications', join(homedir(), 'Applications')] : []
  const inApplications = places.map((folder) => join(folder, mac ?? ''))
  return [...programs, ...inApplications].map((name) => ownProgram(name, path)).find((found) => found !== null) ?? null
}

const KEPT = 'The file is unchanged.'
const NONE_FOUND: Trouble = {
  code: 'no_editor',
  what: 'The file was not opened: no editor with its own window was found on this computer.',
  kept: KEPT,
  todo: 'Install one, or set VISUAL to its program, restart Countersign and choose it in Settings.',
}
/** `name`: the chosen editor. Null if the editor is chosen automatically. */
const notRemote = (name: string | null): Trouble => ({
  code: 'no_remote_editor',
  what: `The file was not opened: it is on another machine, and ${name === null ? 'no editor was found that opens' : `${name} does not open`} files there.`,
  kept: KEPT,
  todo: 'Look at it in Files. VS Code, Cursor, Windsurf, VSCodium and Zed open files on machines that ssh reaches.',
})
const inATerminal = (name: string): Trouble => ({
  code: 'terminal_editor',
  what: `The file was not opened: ${name} needs a terminal, and Countersign starts editors without one.`,
  kept: KEPT,
  todo: 'Choose an editor with its own window in Settings.',
})
const notFound = (name: string): Trouble => ({
  code: 'no_editor',
  what: `The file was not opened: ${name} was not found on this computer.`,
  kept: KEPT,
  todo: 'Choose another editor in Settings.',
})
