import { failure, failureWithAdvice } from '../../agent/tool-output.ts'
import { runInNewContext } from 'node:vm'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import {
  type BashOutputDetails,
  type BashOutputInput,
  bashOutputSpec,
  type KillShellInput,
  killShellSpec,
} from '../../../shared/tools/built-in/background-commands.ts'
import type { RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { commandDetails, commandOutput, followed, writtenOutput } from '../commands/command-run.ts'
import { commandEffect } from '../commands/prepare-command.ts'
import { type BackgroundRun, runInShell, type Shells } from '../commands/session-shells.ts'
import { defineTool } from '../define/define-tool.ts'
import { fileFailure, rejected } from '../define/tool-path.ts'

/** Maximum time in ms that a read waits for new output. Without waiting, the model would repeat its calls, which would cost more. */
const NEWS_MS = 1_000

/** Reads the output of background commands. With a `command`, runs it and returns only its output. */
export function createBashOutputTool(shells: Shells): Tool {
  return defineTool(bashOutputSpec, async (input, context) => {
    const { command, timeout_ms } = input
    if (command === undefined) return { kind: 'ready', effects: [], commit: (run) => read(input, run, shells) }
    const folder = shells.folder() ?? context.env.workingDirectory()
    const effect = await commandEffect({ command, timeout_ms }, folder, context, 'shell')
    if (!effect.ok) return rejected(effect.failure)
    return { kind: 'ready', effects: [effect.value], commit: (run) => capture(effect.value, run, shells) }
  })
}

async function capture(effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> {
  try {
    const ran = await followed(run, (listeners) =>
      run.inCopy
        ? run.env.execCommand(effect.command, { ...listeners, workingDir: effect.cwd, timeoutMs: effect.timeoutMs })
        : runInShell(effect, run, shells, listeners),
    )
    const whole = commandOutput(effect, run, ran)
    return whole.isError
      ? whole
      : { ...whole, output: writtenOutput(ran.result), details: commandDetails(effect, run, ran.result, ran.raw?.ref.hash) }
  } catch (error) {
    return failure(`The command was not run: ${fileFailure(error).message}`, commandDetails(effect, run))
  }
}

async function read({ id, filter }: BashOutputInput, run: RunContext, shells: Shells): Promise<ToolOutput> {
  const found = shells.find(id)
  if (!found) return noSuchRun(id, shells)
  await found.news(AbortSignal.any([run.signal, AbortSignal.timeout(NEWS_MS)]))
  const { text, dropped } = found.unread()
  const lines = filter === undefined ? { ok: true as const, value: text } : matchingLines(text, filter)
  if (!lines.ok) return failure(`${lines.failure} New output follows, unfiltered.\n${text}`)
  const gone = dropped > 0 ? [`[${dropped} characters before this were not kept]`] : []
  const body = lines.value.replace(/\n$/u, '')
  const details: BashOutputDetails = {
    id: found.id,
    command: found.command,
    running: found.ended() === null,
    exitCode: found.ended()?.exitCode ?? null,
    printed: body !== '' ? 'text' : filter === undefined ? 'nothing' : 'nothing_matching',
    forModel: [stateLine(found)],
  }
  const nothing = filter === undefined ? '(nothing new)' : '(nothing new that matches)'
  return { output: [...details.forModel, ...gone, body === '' ? nothing : body].join('\n'), isError: false, details: { ...details } }
}

function stateLine(found: BackgroundRun): string {
  const ended = found.ended()
  if (!ended) return `${found.id} is still running (process ${found.pid}).`
  if (ended.aborted) return `${found.id} was stopped after ${ended.durationMs} ms.`
  if (ended.timedOut) return `${found.id} timed out after ${ended.durationMs} ms.`
  return `${found.id} has ended: ${ended.exitCode === null ? (ended.signal ?? 'a signal') : `exit code ${ended.exitCode}`} (${ended.durationMs} ms).`
}

/** The message for a call with an unknown id. It lists the ids that exist. */
function noSuchRun(id: string | undefined, shells: Shells): ToolOutput {
  const known = shells.all().map((each) => each.id)
  const has = known.length === 0 ? 'Nothing was started in the background in this session.' : `There are: ${known.join(', ')}.`
  if (id === undefined) return failure(has)
  const reason = `There is no background command ${JSON.stringify(id)}.`
  return known.length === 0 ? failure(`${reason} ${has}`) : failureWithAdvice(reason, has)
}

/** Stops only commands that this session started, so it needs no signature. */
export function createKillShellTool(shells: Shells): Tool {
  return defineTool(killShellSpec, (input) => Promise.resolve({ kind: 'ready', effects: [], commit: (run) => end(input, shells, run) }))
}

async function end({ id }: KillShellInput, shells: Shells, { env }: RunContext): Promise<ToolOutput> {
  const run = id === undefined ? newestRunning(shells) : shells.find(id)
  if (run === null) return id === undefined ? endShell(shells, env) : noSuchRun(id, shells)
  const before = run.ended()
  if (before) return success(`${run.id} had already ended${before.exitCode === null ? '' : `, with exit code ${before.exitCode}`}.`)
  await run.stop()
  return success(`${run.id} was stopped.`)
}

/** What was started last is the command that a call without an id means. */
function newestRunning(shells: Shells): BackgroundRun | null {
  return shells.all().findLast((each) => each.ended() === null) ?? null
}

async function endShell(shells: Shells, env: RunContext['env']): Promise<ToolOutput> {
  const next = `The next process starts in ${env.workingDirectory()}.`
  return (await shells.endShell())
    ? success(`The persistent bash process was stopped. ${next}`)
    : failure(`Nothing is running in the background, and no persistent bash process is running. ${next}`)
}

function success(output: string): ToolOutput {
  return { output, isError: false, details: null }
}

/** Time limit for a pattern, in ms. */
const PATTERN_MS = 1_000

/** The lines that match a regular expression from the model. V8 stops the script at the time limit, whatever the pattern does. */
function matchingLines(text: string, pattern: string): Result<string, string> {
  try {
    const source = 'const wanted = new RegExp(pattern, "u"); text.split("\\n").filter((line) => wanted.test(line)).join("\\n")'
    return ok(String(runInNewContext(source, { text, pattern }, { timeout: PATTERN_MS })))
  } catch (error) {
    const reason = error instanceof Error || isErrorOfOther(error) ? error.message : String(error)
    return failed(`The filter ${JSON.stringify(pattern)} cannot be used: ${reason}.`)
  }
}

/** An error thrown in another context is not an instance of this context's `Error`. */
function isErrorOfOther(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}
