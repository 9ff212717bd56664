import { assertNever } from '../../shared/lib/assert-never.ts'
import type { CommandCopies } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { dirname, resolve } from 'node:path'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { readablePath } from '../prompt/readable-path.ts'
import { type Piece, piecesOf } from './placeholders.ts'
import type { SlashCommand } from './slash-command.ts'

/** Maximum number of characters of a command's output or a file that are included. */
const MAX_CHARS = 30_000
/** Time limit for a command in ms. */
const MAX_MS = 30_000

export interface ExpandParts {
  readonly env: ExecutionEnvironment
  /** Real path of the project. Only files of the project are included. */
  readonly project: string
  /**
   * Null if no copies can be made. No command runs in that case. Instead, the agent is asked to run the commands, which needs a signature.
   */
  readonly copies: CommandCopies | null
  readonly redactor: Pick<Redactor, 'text'>
  /** Why rules deny a shell command, as a sentence. Null if none denies it. Default: none does. */
  readonly refusal?: (command: string) => string | null
}

/**
 * Returns the text of a slash command with its arguments filled in. Shell commands in the text run in a copy of the project that is
 * discarded afterwards, so they need no signature and change nothing. The result also mentions shell commands that cannot run. If a file
 * cannot be read, its `@path` is left unchanged, or replaced with the reason if access is denied.
 */
export async function expandCommand(command: SlashCommand, args: string, parts: ExpandParts): Promise<string> {
  const texts: string[] = []
  for (const piece of piecesOf(command, args)) texts.push(await expanded(piece, parts))
  const text = texts.join('').trim()
  const task =
    command.kind !== 'skill' || command.path === null
      ? text
      : `Skill ${command.name}. Relative paths in it refer to its folder: ${dirname(command.path)}\n\n${text}`
  return command.agent === undefined ? task : forSubagent(command.agent, task)
}

const forSubagent = (agent: string, task: string): string =>
  `Do not do this yourself. Start one subagent${agent === '' ? '' : ` of the kind ${agent}`} with the text below as its whole prompt, and report its result.\n\n${task}`

async function expanded(piece: Piece, parts: ExpandParts): Promise<string> {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'run':
      return parts.redactor.text(await outputOf(piece.command, parts))
    case 'file':
      return parts.redactor.text(await contentOf(piece.path, parts))
    default:
      return assertNever(piece, 'piece')
  }
}

async function outputOf(command: string, { copies, refusal }: ExpandParts): Promise<string> {
  const refused = refusal?.(command) ?? null
  if (refused !== null) return `[Not run: ${command}. ${refused}]`
  if (copies === null || (await copies.support()).kind === 'absent')
    return `[The output of a command belongs here. The command was not run, because no copy of the project can be made on this machine. Run the command yourself first, so that the user can sign it: ${command}]`
  try {
    const ended = await copies.run(command, { timeoutMs: MAX_MS })
    await ended.drop()
    const { stdout, stderr, exitCode, timedOut } = ended.result
    const printed = cut([stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== '').join('\n'))
    const end = timedOut
      ? `\n[Stopped after ${MAX_MS / 1000} s: ${command}]`
      : exitCode === 0
        ? ''
        : `\n[Exit code ${exitCode}: ${command}]`
    return `${printed}${end}`
  } catch (error) {
    return `[Not run: ${command}. ${error instanceof Error ? error.message : String(error)}]`
  }
}

async function contentOf(path: string, { env, project }: ExpandParts): Promise<string> {
  try {
    const real = await readablePath(env, project, resolve(project, path))
    if (!real.ok || (await env.stat(real.value))?.kind !== 'file') return `@${path}`
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await env.readBytes(real.value, { maxBytes: MAX_CHARS * 4 }))
    return `\n<file path=${JSON.stringify(path)}>\n${cut(text.trimEnd()).replaceAll('</file', '<\\/file')}\n</file>\n`
  } catch (error) {
    return error instanceof EnvironmentFailure && error.code === 'EACCES' ? `[${path} is not included: ${error.message}]` : `@${path}`
  }
}

const cut = (text: string): string =>
  text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}\n[${text.length - MAX_CHARS} more characters]`
