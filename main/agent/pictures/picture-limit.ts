import type { Trouble } from '../../../shared/session/events.ts'

/** Code of the warning after which older pictures are left out for newer ones. */
export const OLDER_LEFT_OUT = 'older_pictures_left_out'

/** Maximum number of pictures per request. If there are more, Anthropic refuses large ones. */
const MAX_PICTURES = 20
/** Maximum number of base64 characters per request. Gemini accepts 20 MB in total, the other services more. */
const MAX_BASE64_CHARS = 18_000_000

/**
 * Which pictures no longer fit. Each request repeats all earlier pictures, so without a limit every request would eventually be refused.
 */
export interface PictureLimit {
  /** `chars`: the length of the picture's base64. A picture that appears again is counted as a new one. */
  add(picture: string, chars: number): void
  /** Whether there are more pictures than a request may contain. */
  isFull(): boolean
  /**
   * Drops the oldest pictures until half of the room is free. Because so much is dropped at once, the next requests all begin with the same
   * bytes.
   */
  makeRoom(): void
  isOut(picture: string): boolean
}

export function createPictureLimit(): PictureLimit {
  const held = new Map<string, number>()
  const out = new Set<string>()
  let sum = 0
  const drop = (picture: string): void => {
    sum -= held.get(picture) ?? 0
    held.delete(picture)
  }
  const exceeds = (share: number): boolean => held.size > MAX_PICTURES * share || sum > MAX_BASE64_CHARS * share
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
  what: 'The conversation has more pictures than a request may contain, so the model no longer gets the older pictures.',
  kept: 'All pictures remain in the ledger, and the model still gets the newest pictures.',
  todo: 'Attach a picture again if the model still needs it.',
}
