import { dirname, resolve } from 'node:path'
import { type Blame, type LineWriter, writerOf } from '../../../shared/api/changes/blame.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Blamer } from '../../blame/blame.ts'
import { createLocalExecutionEnvironment } from '../../environment/local-environment.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { complain, failWith, type Write } from '../report/standard-output.ts'
import type { CommandValues, CommandWork } from './command.ts'
import { visibleLine } from '../report/visible-text.ts'

/** Maximum size in bytes of a file whose lines can be traced. */
const MAX_BYTES = 10 * 1024 * 1024

export function blameCommand(
  [subject = '']: readonly string[],
  { cwd = '', json = false }: CommandValues,
  here: string,
): Result<CommandWork, string> {
  const [, path, line] = /^(.+):([1-9]\d{0,8})$/su.exec(resolve(here, cwd, subject)) ?? []
  return path === undefined
    ? failed('blame takes a file and a line: blame src/a.ts:12')
    : ok(({ withApp, write }) => withApp(({ blamer }) => blame({ path, line: Number(line), json }, blamer, write)))
}

interface Line {
  /** Absolute. */
  readonly path: string
  /** Line number, starting at 1. */
  readonly line: number
  readonly json: boolean
}

/** Returns the exit code: 1 if the line does not exist or cannot be traced. */
async function blame({ path, line, json }: Line, blamer: Blamer, write: Write): Promise<number> {
  const env = createLocalExecutionEnvironment(dirname(path))
  let bytes: Uint8Array
  let file = path
  try {
    file = await env.realpath(path)
    bytes = await env.readBytes(file, { maxBytes: MAX_BYTES })
  } catch (error) {
    if (!(error instanceof EnvironmentFailure)) throw error
    complain(`${visibleLine(error.message)}\n`)
    return 1
  }
  const found = await blamer.blame(file, { kind: 'now', bytes }, null)
  if (!found.ok) return failWith(found.trouble)
  const writer = writerOf(found.blame, line)
  if (writer === null) {
    complain(`${visibleLine(path)} has ${lineCount(found.blame)}, so there is no line ${line}.\n`)
    return 1
  }
  const text = Buffer.from(bytes).toString('utf8').split('\n')[line - 1] ?? ''
  write(json ? `${JSON.stringify({ path: file, line, text, writer })}\n` : `${path}:${line}: ${visibleLine(text)}\n${words(writer)}`)
  return 0
}

const lineCount = ({ lines }: Blame): string => (lines === 1 ? '1 line' : `${lines} lines`)
const timeOf = (at: number): string => new Date(at).toISOString()

function words(writer: LineWriter): string {
  switch (writer.kind) {
    case 'earlier':
      return 'This line was there before the first change to this file that Countersign recorded.\n'
    case 'outside': {
      const [since, until] = [writer.since, writer.until].map((at) => at && timeOf(at))
      return `Changed outside of Countersign${since ? `, after ${since}` : ''}${until ? ` and before ${until}` : ''}.\n`
    }
    case 'undo':
    case 'step': {
      const { kind, step, title, sessionId, agentType, at, toolName, command, isFound, request } = writer
      const by = command === null ? (toolName ?? 'an undo') : `the command ${visibleLine(command)}`
      return [
        kind === 'undo'
          ? `Restored by an undo after step ${step}`
          : `Written by step ${step}, ${by}${isFound ? ' (or by someone else while it ran)' : ''}`,
        `Session: ${visibleLine(title || 'untitled')} (${sessionId})`,
        ...(agentType === null ? [] : [`Subagent: ${visibleLine(agentType)}`]),
        ...(request === null ? [] : [`Request: ${visibleLine(request)}`]),
        `Time: ${timeOf(at)}`,
        '',
      ].join('\n')
    }
  }
}
