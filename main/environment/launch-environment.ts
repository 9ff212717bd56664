import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import type { Disposable } from '../../shared/lib/disposable.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { isSecretVariable } from './secret-variables.ts'

const hidden = new Map<string, string>()
/** Never in `process.env`, so that no child inherits the keys among them. */
let fromShell: Readonly<Record<string, string>> = {}
const added = new Emitter<void>()

/**
 * The variables with which the user started the app, including those that `hideSecretVariables` removed, and those of the user's shell once
 * `addShellVariables` has added them.
 */
export function launchEnvironment(): NodeJS.ProcessEnv {
  const isPlain = hidden.size === 0 && Object.keys(fromShell).length === 0
  return isPlain ? process.env : { ...Object.fromEntries(hidden), ...process.env, ...fromShell }
}

/** Variables of the shell process itself, which say nothing about the user. */
const OF_ONE_SHELL: ReadonlySet<string> = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', 'TERM'])

export interface AddedVariables {
  /** The folders that PATH did not have before. */
  readonly folders: readonly string[]
  /** The names of the other variables that are new or changed, sorted. */
  readonly names: readonly string[]
}

/** Adds the variables of the user's shell. Its PATH comes first, without relative folders, because those depend on the working folder. */
export function addShellVariables(variables: Readonly<Record<string, string>>): AddedVariables {
  const before = launchEnvironment()
  const had = foldersOf(before['PATH'])
  const folders = foldersOf(variables['PATH']).filter((folder) => isAbsolute(folder))
  const path = [...new Set([...folders, ...had])].join(delimiter)
  const others = Object.entries(variables).filter(([name]) => name !== 'PATH' && !OF_ONE_SHELL.has(name))
  const changed = others.filter(([name, value]) => before[name] !== value)
  fromShell = { ...Object.fromEntries(changed), PATH: path }
  added.fire()
  return { folders: folders.filter((folder) => !had.includes(folder)), names: changed.map(([name]) => name).toSorted() }
}

/** Calls the listener after `addShellVariables`. */
export function onShellVariables(listener: () => void): Disposable {
  return added.event(listener)
}

const foldersOf = (path: string | undefined): readonly string[] => (path ?? '').split(delimiter).filter((folder) => folder !== '')

/**
 * Removes keys and passwords from this process's environment, so that no child inherits them. On Linux, also removes them from the memory
 * that `/proc/PID/environ` shows to every program of the same user. `launchEnvironment` still returns them. Never throws: even if the
 * memory cannot be written, the keys and passwords are hidden in outputs.
 */
export function hideSecretVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || !isSecretVariable(name, value)) continue
    hidden.set(name, value)
    Reflect.deleteProperty(process.env, name)
  }
  if (hidden.size > 0 && process.platform === 'linux') wipeStartEnvironment([...hidden.keys()])
}

function wipeStartEnvironment(names: readonly string[]): void {
  try {
    // Only the fields after the program's name are read, because the name may contain anything. The first of them is field 3 of the file.
    // Fields 50 and 51 of the file are the start and the end of the environment block.
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
    const start = Number(fields[47])
    const end = Number(fields[48])
    const block = Buffer.alloc(end - start)
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      readSync(memory, block, 0, block.length, start)
      for (const { from, length } of entriesOf(block, names)) writeSync(memory, Buffer.alloc(length), 0, length, start + from)
    } finally {
      closeSync(memory)
    }
  } catch {
    // One of the two files does not exist, or permission was denied.
  }
}

/** The positions of the entries with these names in a block of `NAME=value` entries, each of which ends with a zero byte. */
function* entriesOf(block: Buffer, names: readonly string[]): Iterable<{ readonly from: number; readonly length: number }> {
  for (let from = 0; from < block.length;) {
    const zero = block.indexOf(0, from)
    const to = zero === -1 ? block.length : zero
    if (names.some((name) => block.toString('utf8', from, to).startsWith(`${name}=`))) yield { from, length: to - from }
    from = to + 1
  }
}
