import { newId } from '../../shared/lib/ids.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import type { LoggedTurn } from '../../shared/session/conversation-turns.ts'
import type { PromptAndTools } from './answer/prompt-and-tools.ts'
import { inputLimitOf, nextContext } from './compaction/make-room.ts'
import { picturesLeftOut } from './pictures/omitted-pictures.ts'
import { OLDER_PICTURES_LEFT_OUT } from './pictures/picture-limit.ts'
import { holdPictures } from './pictures/resolve-pictures.ts'
import type { Model } from './ports/model.ts'
import type { SessionRecord } from './record/session-record.ts'

/** Notes for the user and the model before a request. Each note is given only once. */

/** Describes the approval mode to the model. `mark`: the beginning of each such description. */
export interface ApprovalText {
  readonly mark: string
  text(config: SessionConfigured): Promise<string>
}

/** The prompt never changes within a session, so a new mode is described at the end of the conversation. */
export async function tellApprovalMode(
  { record, approval }: { readonly record: SessionRecord; readonly approval?: ApprovalText | undefined },
  system: string,
  config: SessionConfigured,
): Promise<void> {
  if (!approval) return
  const text = await approval.text(config)
  const said = record
    .memory()
    .transcript.turns()
    .findLast((turn) => isToldBy(approval.mark, turn))
  if (said ? said.content === text : system.includes(text)) return
  record.append({ kind: 'STEERING_INJECTED', inputId: newId('in'), text, by: 'loop' })
}

function isToldBy(mark: string, turn: LoggedTurn): turn is Extract<LoggedTurn, { kind: 'steering' }> {
  return turn.kind === 'steering' && turn.by === 'loop' && typeof turn.content === 'string' && turn.content.startsWith(mark)
}

/** Before the model answers, warns that older pictures were dropped to make room, or that the model accepts no pictures. */
export function tellPicturesLeftOut(
  { record, contexts }: { readonly record: SessionRecord; readonly contexts: PromptAndTools },
  { takesPictures }: Model,
  config: SessionConfigured,
): void {
  if (record.memory().pictures.areTooMany()) record.append({ kind: 'WARNING', trouble: OLDER_PICTURES_LEFT_OUT })
  if (takesPictures !== false || !holdPictures(contexts.shown(record.memory().transcript.turns(), config))) return
  record.append({ kind: 'WARNING', trouble: picturesLeftOut(config, 'it takes none.') })
}

/**
 * Warns about the model's context window, once per model. If the limit is only assumed, warns only when the next request would fill half of
 * it.
 */
export function tellWindowTrouble(record: SessionRecord, { windowTrouble: trouble, ...model }: Model): void {
  if (!trouble || record.memory().warnings.has(trouble)) return
  const limit = inputLimitOf(model) ?? Infinity
  if (trouble.code === 'window_assumed' && nextContext(record) < limit / 2) return
  record.append({ kind: 'WARNING', trouble })
}

/**
 * A conversation must not end with the model's turn, so a turn that is resumed after an answer without calls gets a short user message. If
 * the service paused its own answer, the request is sent again without such a message.
 */
export function goOnFromAnswer(record: SessionRecord, provider: ProviderId): void {
  const { transcript, tally } = record.memory()
  const last = transcript.turns().at(-1)
  if (last?.kind !== 'assistant' || (tally.pauses() > 0 && last.provider === provider)) return
  record.append({ kind: 'STEERING_INJECTED', inputId: newId('in'), text: 'Go on.', by: 'loop' })
}
