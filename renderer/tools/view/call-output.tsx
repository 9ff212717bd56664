import { type ReactNode, useState } from 'react'
import type { BlobText } from '../../../shared/api/changes/changes.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { bracketed } from '../../../shared/session/content.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { commandDetails, runsCommand } from '../../../shared/tools/catalogue.ts'
import { showCommand } from '../../state/commands/actions.ts'
import { useDesk } from '../../state/desk-context.ts'
import { Button } from '../../ui/controls/button.tsx'
import { backgroundOf, writtenOutput } from '../../ui/calls/command-words.ts'
import { excerptStart } from '../../../shared/lib/lines/first-failure.ts'
import { byteSize, counted } from '../../ui/format.ts'
import { useSettled } from '../../ui/hooks/use-settled.ts'
import { foreign } from '../../ui/text/exact-text.tsx'
import { Well } from '../../ui/text/well.tsx'
import type { BodyProps } from './tool-view.ts'
import styles from './view.module.css'

/** Number of lines shown before "Show all". */
const FEW_LINES = 8

export interface CallOutputProps {
  readonly call: CallItem
  readonly sessionId: SessionId
  readonly label?: string | undefined
}

/**
 * The output of a step, shortened until the user asks for all of it. For a command, the end is shown, because results come last, or the
 * first failure if the command has failed.
 */
export function CallOutput({ call, sessionId, label = 'Output' }: CallOutputProps): ReactNode {
  const desk = useDesk()
  const [isWhole, setWhole] = useState(false)
  const whole = useWhole(call, sessionId, isWhole)
  const isCommand = runsCommand(call)
  const written = withoutPictureMarks(call, isWhole && whole?.kind === 'text' ? whole.text : writtenOutput(call))
  const lines = written.replace(/\s+$/u, '').split('\n')
  const hidden = Math.max(0, lines.length - FEW_LINES)
  const isCut = hidden > 0 || call.outputBlob !== null
  const from = isCommand ? excerptStart(lines, FEW_LINES, commandDetails(call)?.exitCode !== 0) : 0
  const shown = isWhole ? lines : lines.slice(from, from + FEW_LINES)
  const hasTerminal = isCommand && backgroundOf(call) === null
  if (written === '' && call.pictures) return null
  return (
    <Well
      label={label}
      text={shown.join('\n')}
      foot={
        hasTerminal || isCut ? (
          <>
            <span className="clip">
              {isWhole ? wholeWords(call, whole) : isCut ? leftOut(call, from, hidden - from) : (commandDetails(call)?.cwd ?? '')}
            </span>
            {isCut && (
              <Button variant="quiet" small onPress={() => setWhole(!isWhole)}>
                {isWhole ? 'Show less' : 'Show all'}
              </Button>
            )}
            {hasTerminal && (
              <Button variant="quiet" small onPress={() => showCommand(desk, sessionId, call.toolCallId)}>
                Open in Terminal
              </Button>
            )}
          </>
        ) : undefined
      }
    />
  )
}

/** Removes the lines that stand for pictures from an output, because the pictures themselves are shown. */
function withoutPictureMarks({ pictures }: CallItem, output: string): string {
  if (!pictures) return output
  const marks = new Set(pictures.map(({ mediaType }) => bracketed({ kind: 'image', mediaType })))
  return output
    .split('\n')
    .filter((line) => !marks.has(line))
    .join('\n')
}

function leftOut({ outputBlob }: CallItem, before: number, after: number): string {
  const said = [before > 0 ? `${counted(before, 'line')} before` : '', after > 0 ? `${counted(after, 'line')} more` : '']
  const parts = said.filter((part) => part !== '').join(', ')
  return parts === '' ? 'Not all of it' : `${outputBlob ? 'More than ' : ''}${parts}`
}

const MISSING: BlobText = { kind: 'missing' }

/** The complete output. Null until it is wanted and loaded, and if the log already contains all of it. */
function useWhole({ outputBlob }: CallItem, sessionId: SessionId, isWanted: boolean): BlobText | null {
  const desk = useDesk()
  const hash = outputBlob?.hash ?? null
  const key = `${sessionId} ${hash}`
  return useSettled(key, isWanted && hash !== null ? () => desk.texts.get(sessionId, hash).catch(() => MISSING) : null).value
}

function wholeWords({ outputBlob }: CallItem, whole: BlobText | null): string {
  if (outputBlob === null) return 'All of it'
  if (whole === null) return 'Reading it…'
  if (whole.kind === 'text') return `All of it, ${byteSize(outputBlob.bytes)}`
  return whole.kind === 'missing' ? 'The rest could not be read.' : `${byteSize(outputBlob.bytes)}: too large to be shown here in full.`
}

/** An output that consists of one or two sentences. */
export function OutputNote({ call }: BodyProps): ReactNode {
  return <p className={`note ${styles.lines}`}>{foreign(call.output)}</p>
}
