import { type AndOr, type Command, forEachChild, parse, type ParsedScript, type Pipeline, type SyntaxNode } from 'unbash'
import { redirectsOf, type Run, setsOf, wordsOf } from './program-invocation.ts'
import { type Folders, foldersAfter, isMove, type ShellFolders, union, unmoved } from './shell-folders.ts'
import type { CommandWord } from './command-word.ts'
import { pipedScripts, printedBy, scriptsOf } from './started-programs.ts'

/** Maximum number of characters of a line that is read. No system accepts a longer argument (128 KiB on Linux). */
export const MAX_JUDGED_CHARS = 131_072
/** Maximum depth of shells within shells. */
const MAX_DEPTH = 8
const MAX_SCRIPTS = 200
/** Maximum number of commands. No sensible line needs more. */
const MAX_RUNS = 2_000

export interface CommandLine {
  readonly tree: ParsedScript
  readonly runs: readonly Run[]
  /**
   * Whether the line contains only commands joined by lists, pipes, groups and `if`, and no loop, function, substitution, nested script
   * or job.
   */
  readonly isPlain: boolean
}

export interface LinePlace {
  readonly cwd: string
  readonly home: string | null
}

/** Parses a bash command line. Null if the line is not understood; it may then do anything. */
export function readCommandLine(command: string, place: LinePlace): CommandLine | null {
  return readScript(command, { home: place.home, folders: [place.cwd], depth: 0, at: null, budget: { scripts: MAX_SCRIPTS } })
}

interface Around {
  readonly home: string | null
  readonly folders: Folders
  readonly depth: number
  /** The position, in the outermost line, of the command that contains this script. Null if this is the outermost line. */
  readonly at: number | null
  /** How many more scripts may be read. */
  readonly budget: { scripts: number }
}

function readScript(command: string, around: Around): CommandLine | null {
  if (around.depth > MAX_DEPTH || command.length > MAX_JUDGED_CHARS || command.includes('\r') || around.budget.scripts-- < 0) return null
  const tree = parse(command)
  const reading = new Reading(around)
  reading.walk(tree, around.folders, around.at)
  return reading.isUnderstood && reading.runs.length <= MAX_RUNS ? { tree, runs: reading.runs, isPlain: reading.isPlain } : null
}

const PLAIN: ReadonlySet<SyntaxNode['type']> = new Set([
  ...(['Script', 'Statement', 'AndOr', 'Pipeline', 'Negation', 'Command', 'Word', 'Literal', 'Glob', 'SingleQuoted'] as const),
  ...(['DoubleQuoted', 'SimpleExpansion', 'ParameterExpansion', 'BraceExpansion', 'AnsiCQuoted', 'Redirect', 'FileDescriptor'] as const),
  ...(['Redirected', 'Subshell', 'BraceGroup', 'CompoundList', 'If', 'Elif'] as const),
])

class Reading {
  readonly runs: Run[] = []
  isUnderstood = true
  isPlain = true
  readonly #around: Around

  constructor(around: Around) {
    this.#around = around
  }

  /** Records what a node runs. Returns where the shell is afterwards. */
  walk(node: SyntaxNode, folders: Folders, at: number | null): ShellFolders {
    this.isPlain &&= PLAIN.has(node.type)
    if (this.runs.length > MAX_RUNS) this.isUnderstood = false
    if (!this.isUnderstood) return unmoved(null)
    switch (node.type) {
      case 'Script':
        if (node.errors && node.errors.length > 0) this.isUnderstood = false
        return this.#inOrder(node, folders, at)
      case 'Statement':
        if (node.background) this.isPlain = false
        return node.background ? this.#apart(node, folders, at) : this.walk(node.command, folders, at)
      case 'AndOr':
        return this.#andOr(node, folders, at)
      case 'Pipeline':
        return this.#pipeline(node, folders, at)
      case 'Command':
        return this.#command(node, folders, at ?? node.pos)
      case 'Redirected':
        this.runs.push({
          words: [],
          sets: [],
          values: [],
          ...redirectsOf(node.redirects, this.#around.home),
          input: [],
          folders,
          at: at ?? node.pos,
        })
        return this.#inOrder(node, folders, at)
      case 'Subshell':
      case 'Coproc':
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        if ('script' in node && node.script === undefined) this.isUnderstood = false
        return this.#apart(node, folders, at)
      case 'While':
      case 'For':
      case 'ArithmeticFor':
      case 'Select':
      case 'Function':
        return this.#repeated(node, folders, at)
      default:
        return this.#inOrder(node, folders, at)
    }
  }

  #inOrder(node: SyntaxNode, folders: Folders, at: number | null): ShellFolders {
    let now = folders
    forEachChild(node, (child) => {
      now = this.walk(child, now, at).any
    })
    return unmoved(now)
  }

  /** For a node that runs in its own process, which cannot change the shell's folder. */
  #apart(node: SyntaxNode, folders: Folders, at: number | null): ShellFolders {
    this.#inOrder(node, folders, at)
    return unmoved(folders)
  }

  /** For a node that may run more than once, such as a loop: each run may change the folder. */
  #repeated(node: SyntaxNode, folders: Folders, at: number | null): ShellFolders {
    const from = this.runs.length
    const { any } = this.#inOrder(node, folders, at)
    const name = node.type === 'Function' ? node.name.value : null
    // A function that calls itself, or that replaces a command such as `cd`, is not understood.
    if (name !== null && (isMove(name) || this.runs.slice(from).some(({ words }) => words[0]?.text === name))) this.isUnderstood = false
    if (any !== null && folders !== null && any.every((each) => folders.includes(each))) return unmoved(any)
    this.runs.splice(from, this.runs.length, ...this.runs.slice(from).map((run) => ({ ...run, folders: null })))
    return unmoved(null)
  }

  #andOr({ commands, operators }: AndOr, folders: Folders, at: number | null): ShellFolders {
    let possible = folders
    let now = folders
    let isSure = true
    commands.forEach((command, index) => {
      const next = this.walk(command, now, at)
      possible = union(possible, next.any)
      // After `||`, it is not certain that the commands before it have succeeded.
      isSure &&= operators[index] !== '||'
      now = isSure ? next.ok : possible
    })
    return { ok: now, any: possible }
  }

  #pipeline({ commands, prefixes }: Pipeline, folders: Folders, at: number | null): ShellFolders {
    if (prefixes.some(({ type }) => type === 'Time')) this.isPlain = false
    const [only] = commands
    if (commands.length === 1 && only) return unmoved(this.walk(only, folders, at).any)
    let before: readonly CommandWord[] = []
    for (const command of commands) {
      const first = this.runs.length
      this.walk(command, folders, at)
      const runs = this.runs.splice(first)
      const piped = before
      const fed = runs.map((run) => ({ ...run, input: run.input.length === 0 ? piped : [...run.input, ...piped] }))
      this.runs.push(...fed)
      for (const run of fed) this.#scripts(pipedScripts(run), run)
      // Each word is added only once. Otherwise, commands that pass words on to each other would double the number of words each time.
      const printed = [...runs, ...this.runs.slice(first + fed.length)].flatMap(printedBy)
      if (printed.length > 0) before = [...before, ...printed]
    }
    return unmoved(folders)
  }

  #command(command: Command, folders: Folders, at: number): ShellFolders {
    const { home } = this.#around
    const words = wordsOf(command, home)
    const set = setsOf(command, home)
    const { strings, ...redirects } = redirectsOf(command.redirects, home)
    forEachChild(command, (child) => void this.walk(child, folders, at))
    const run = { words, ...set, ...redirects, input: strings, folders, at }
    this.runs.push(run)
    this.#scripts(scriptsOf(run), run)
    return foldersAfter(words, set.sets, folders)
  }

  /** Reads the scripts that a command passes to a shell. `scripts` is null if they are known only at run time. */
  #scripts(scripts: readonly string[] | null, { folders, at }: Run): void {
    if (scripts === null) this.isUnderstood = false
    for (const script of scripts ?? []) {
      this.isPlain = false
      const inner = readScript(script, { ...this.#around, folders, depth: this.#around.depth + 1, at })
      if (inner === null) this.isUnderstood = false
      else this.runs.push(...inner.runs)
    }
  }
}
