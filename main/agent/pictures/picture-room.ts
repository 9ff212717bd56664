import type { Trouble } from '../../../shared/session/events.ts'

/** Code of the warning after which older pictures make room for newer ones. */
export const OLDER_LEFT_OUT = 'older_pictures_left_out'

/** Pictures of one request: Anthropic refuses large ones where there are more. */
const MOST_PICTURES = 20
/** Characters of base64 of one request: Gemini takes 20 MB in all, the other services more. */
const MOST_CHARS = 18_000_000

/** Which pictures have no room in a request any more: each request has those of all before it, and would at last be refused for ever. */
export interface PictureRoom {
  /** `chars`: of its base64. One that comes again is a new one. */
  add(picture: string, chars: number): void
  /** There are more than a request takes. */
  isFull(): boolean
  /** Leaves the oldest ones out until half of the room is free, so that the next requests begin with the same bytes. */
  makeRoom(): void
  isOut(picture: string): boolean
}

export function createPictureRoom(): PictureRoom {
  const held = new Map<string, number>()
  const out = new Set<string>()
  let sum = 0
  const drop = (picture: string): void => {
    sum -= held.get(picture) ?? 0
    held.delete(picture)
  }
  const exceeds = (share: number): boolean => held.size > MOST_PICTURES * share || sum > MOST_CHARS * share
  return {
    add(picture, chars) {
      drop(picture)
      out.delete(picture)
      held.set(picture, chars)
      sum += chars
    },
    isFull: () => exceeds(1),
    makeRoom() {
      for (const picture of held.keys()) {
        if (!exceeds(0.5) || held.size === 1) return
        drop(picture)
        out.add(picture)
      }
    },
    isOut: (picture) => out.has(picture),
  }
}

export const OLDER_PICTURES_LEFT_OUT: Trouble = {
  code: OLDER_LEFT_OUT,
  what: 'The conversation has more pictures than a request can take: the model is no longer shown the older ones.',
  kept: 'All of them in the ledger, and the newest ones for the model.',
  todo: 'Attach a picture again if the model still needs it.',
}
