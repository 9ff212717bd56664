import type { DurableEvent, SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { createPictureLimit, OLDER_LEFT_OUT } from './picture-limit.ts'

type ModelName = Pick<SessionConfigured, 'provider' | 'model'>

/** Code of the warning after which a model gets text in place of all earlier pictures. */
const PICTURES_LEFT_OUT = 'pictures_left_out'

/**
 * Which pictures are not sent to a model: the model accepts none, its service refused them, or newer pictures need the room. Derived only
 * from the log, so that requests stay the same after a restart.
 */
export interface OmittedPictures {
  add(event: DurableEvent): void
  /** Whether there has been any picture in the session. */
  sawAny(): boolean
  /** Whether there are more pictures than a request may contain. */
  areTooMany(): boolean
  /** `picture`: the hash of a picture that the user attached, or the id of the call whose result shows a picture. */
  isRefused(picture: string, model: ModelName): boolean
}

export function createOmittedPictures(): OmittedPictures {
  let config: ModelName = { provider: 'anthropic', model: '' }
  const seen = new Set<string>()
  const room = createPictureLimit()
  const see = (picture: string, chars: number): void => {
    seen.add(picture)
    room.add(picture, chars)
  }
  const refused = new Map<string, Set<string>>()
  return {
    add(event) {
      switch (event.kind) {
        case 'SESSION_START':
        case 'SESSION_CONFIGURED':
          config = { provider: event.provider, model: event.model }
          return
        case 'USER_INPUT':
        case 'STEERING_INJECTED':
          for (const { hash, bytes } of event.pictures ?? []) see(hash, Math.ceil(bytes / 3) * 4)
          return
        case 'TOOL_CALL_END':
          if (typeof event.modelText !== 'object' || !event.modelText?.some(({ kind }) => kind === 'image')) return
          see(
            event.toolCallId,
            event.modelText.reduce((sum, part) => sum + (part.kind === 'image' ? part.data.length : 0), 0),
          )
          return
        case 'WARNING': {
          if (event.trouble.code === PICTURES_LEFT_OUT) refused.set(keyOf(config), new Set(seen))
          if (event.trouble.code === OLDER_LEFT_OUT) room.makeRoom()
          return
        }
        default:
      }
    },
    sawAny: () => seen.size > 0,
    areTooMany: room.isFull,
    isRefused: (picture, model) => room.isOut(picture) || (refused.get(keyOf(model))?.has(picture) ?? false),
  }
}

const keyOf = ({ provider, model }: ModelName): string => `${provider}\0${model}`

/** `why`: a sentence from the service, or a sentence that the model accepts no pictures. */
export function picturesLeftOut({ model }: ModelName, why: string): Trouble {
  return {
    code: PICTURES_LEFT_OUT,
    what: `${model} was not sent the pictures: ${why}`,
    kept: 'The pictures stay in the ledger. The model gets a note that they were left out.',
    todo: 'Choose a model that accepts pictures, or describe the pictures in words.',
  }
}
