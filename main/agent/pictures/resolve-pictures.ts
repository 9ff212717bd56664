import { Buffer } from 'node:buffer'
import type { ImagePart, ModelContent, TextPart, Picture } from '../../../shared/session/content.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import type { LoggedTurn, ToolResultsTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import type { OmittedPictures } from './omitted-pictures.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import { StorageError } from '../storage-error.ts'

type ModelName = Pick<SessionConfigured, 'provider' | 'model'>

/**
 * Builds the conversation that is sent to a model: pictures with their bytes, or text in place of pictures that the model does not get.
 * Unchanged turns are the same objects from request to request, so that they are serialized once.
 */
export function createPictureResolver(
  blobs: BlobStore,
): (turns: readonly LoggedTurn[], model: ModelName, refusals: OmittedPictures) => readonly Turn[] {
  const made = new WeakMap<LoggedTurn, { readonly left: string; readonly turn: Turn }>()
  const shownAs = (turn: LoggedTurn, model: ModelName, refusals: OmittedPictures): Turn => {
    const pictures = picturesIn(turn)
    if (pictures.length === 0) return turn as Turn
    const isLeftOut = (picture: string): boolean => refusals.isRefused(picture, model)
    const left = pictures.filter(isLeftOut).join()
    const known = made.get(turn)
    if (known?.left === left) return known.turn
    const shown = shownTurn(turn, isLeftOut, blobs)
    made.set(turn, { left, turn: shown })
    return shown
  }
  // If there are no pictures, the turns are not copied, so that the cost of a request does not grow with the conversation.
  return (turns, model, refusals) => (refusals.sawAny() ? turns.map((turn) => shownAs(turn, model, refusals)) : (turns as readonly Turn[]))
}

/** Whether the service would get any picture. */
export function holdPictures(turns: readonly Turn[]): boolean {
  return turns.some((turn) => {
    if (turn.kind === 'tool_results') return turn.results.some(({ output }) => hasImage(output))
    return (
      (turn.kind === 'user' || turn.kind === 'steering') &&
      typeof turn.content !== 'string' &&
      turn.content.some(({ kind }) => kind !== 'text')
    )
  })
}

/** Hashes of attached pictures, or ids of calls whose results show one. */
function picturesIn(turn: LoggedTurn): readonly string[] {
  if (turn.kind === 'tool_results') return turn.results.flatMap(({ toolCallId, output }) => (hasImage(output) ? [toolCallId] : []))
  if ((turn.kind !== 'user' && turn.kind !== 'steering') || typeof turn.content === 'string') return []
  return turn.content.flatMap((part) => (part.kind === 'picture' ? [part.hash] : []))
}

const hasImage = (output: ModelContent): boolean => typeof output !== 'string' && output.some(({ kind }) => kind === 'image')

function shownTurn(turn: LoggedTurn, isLeftOut: (picture: string) => boolean, blobs: BlobStore): Turn {
  if (turn.kind === 'tool_results')
    return { ...turn, results: turn.results.map((result) => (isLeftOut(result.toolCallId) ? withoutImages(result) : result)) }
  if ((turn.kind !== 'user' && turn.kind !== 'steering') || typeof turn.content === 'string') return turn as Turn
  const content = turn.content.map((part) => {
    if (part.kind === 'text') return part
    return isLeftOut(part.hash) ? LEFT_OUT : imageOf(part, blobs)
  })
  return { ...turn, content }
}

type Result = ToolResultsTurn['results'][number]

function withoutImages(result: Result): Result {
  if (typeof result.output === 'string') return result
  return { ...result, output: result.output.map((part) => (part.kind === 'image' ? LEFT_OUT : part)) }
}

const LEFT_OUT: TextPart = {
  kind: 'text',
  text: '[A picture was left out here, because it cannot be shown to you, or can no longer be shown to you.]',
}
const LOST: TextPart = { kind: 'text', text: '[A picture was given here. It can no longer be read.]' }

/** A lost picture must not block the conversation. */
function imageOf({ hash, mediaType }: Picture, blobs: BlobStore): ImagePart | TextPart {
  try {
    return { kind: 'image', mediaType, data: Buffer.from(blobs.get(hash)).toString('base64') }
  } catch (error) {
    if (error instanceof StorageError) return LOST
    throw error
  }
}
