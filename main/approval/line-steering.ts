import { FOLDER_CHANGERS, folderOperand, hasFixedStart, isFixed } from './folder-changers.ts'
import { programOf, unwrapped } from './program-words.ts'
import type { ShellWord, SimpleCommand } from './simple-command.ts'

/** What a line does to the words that move a shell. */
export interface LineSteering {
  /** From this command on nobody can tell where the line stands; `Infinity`: nowhere. */
  readonly lostFrom: number
  /** `..` goes up from where a link leads. */
  readonly isPhysical: boolean
  /** In a shell that lives on, later lines would go elsewhere than their words say. */
  readonly outlasts: boolean
}

const GRAMMAR: ReadonlySet<string> = new Set(['!', '{', 'if', 'then', 'else', 'elif', 'do', 'time'])
const LOOPS: ReadonlySet<string> = new Set(['for', 'while', 'until', 'select'])
/** Words that keep a text to be run in this shell. */
const KEEPERS: ReadonlySet<string> = new Set(['eval', 'trap', 'alias'])
/** Settings of the shell by which a `cd` goes elsewhere than it says, or any word is one. */
const SETTINGS = /(?:^|[^\w])(?:CDPATH|autocd|cdable_vars|cdspell|PROMPT_COMMAND)(?!\w)/u
const CHANGER = /(?:^|[^\w./-])(?:cd|pushd|popd|chdir)(?![\w./-])/u

export function steeringOf(commands: readonly SimpleCommand[]): LineSteering {
  const first = (is: (command: SimpleCommand) => boolean): number => {
    const at = commands.findIndex(is)
    return at < 0 ? Infinity : at
  }
  const kept = first(keepsMove)
  const defined = first(defines)
  const definedMove = commands.slice(defined === Infinity ? commands.length : defined).some((each) => isMove(each) || renamesMove(each))
  const set = commands.some(setsFolders)
  const isPhysical = commands.some(setsPhysical)
  const steered = set ? first((each) => isMove(each) && !hasFixedStart(folderOperand(each))) : Infinity
  return {
    lostFrom: Math.min(kept, definedMove ? defined : Infinity, steered, movingLoop(commands)),
    isPhysical,
    outlasts: kept < Infinity || definedMove || set || isPhysical,
  }
}

/** Whose `cd` is another one each time that it comes to it. */
const isMove = (command: SimpleCommand): boolean => goes(command) && !isFixed(folderOperand(command))

function goes({ words }: SimpleCommand): boolean {
  const [name] = unwrapped(words)
  return name !== undefined && FOLDER_CHANGERS.has(programOf(name))
}

const begins = ({ words }: SimpleCommand): string => words.find(({ text }) => !GRAMMAR.has(text))?.text ?? ''

/** It begins a function, by `f()` or by its word. */
export const defines = (command: SimpleCommand): boolean => command.isDefinition || begins(command) === 'function'

const renamesMove = (command: SimpleCommand): boolean =>
  defines(command) && command.words.some(({ text }) => FOLDER_CHANGERS.has(text) || text === 'builtin' || text === 'command')

/** `eval 'cd ..'`, `trap 'cd ..' DEBUG`, `alias up='cd ..'`, and a script that the line itself says. */
function keepsMove({ words }: SimpleCommand): boolean {
  const [name, ...rest] = unwrapped(words)
  if (name === undefined) return false
  const text = rest.map((word) => word.text).join(' ')
  const isRead = name.text === '.' || name.text === 'source'
  return isRead ? /^\/(?:dev|proc)\//u.test(text) : KEEPERS.has(name.text) && CHANGER.test(text.replace(/['"\\]/gu, ''))
}

function setsFolders({ words }: SimpleCommand): boolean {
  const [name] = unwrapped(words)
  return name?.text !== 'unset' && words.some(({ text }) => SETTINGS.test(text) && text !== 'CDPATH=')
}

const setsPhysical = ({ words }: SimpleCommand): boolean => unwrapped(words)[0]?.text === 'set' && saysPhysical(unwrapped(words))

/** `-P` or `-o physical`, of `set` and of a shell that is started. */
export function saysPhysical([, ...rest]: readonly ShellWord[]): boolean {
  return rest.some(({ text }) => /^-[a-zA-Z]*P/u.test(text) || text === 'physical')
}

/** Where the first loop begins in which the line goes somewhere from where it stands. */
function movingLoop(commands: readonly SimpleCommand[]): number {
  let depth = 0
  let begin = 0
  for (const [at, command] of commands.entries()) {
    const word = begins(command)
    if (LOOPS.has(word) && depth++ === 0) begin = at
    if (depth > 0 && isMove(command)) return begin
    if (word === 'done') depth = Math.max(0, depth - 1)
  }
  return Infinity
}
