import { Emitter } from '../../../shared/lib/emitter.ts'
import type { OutputHold } from '../../agent/ports/execution-environment.ts'

/**
 * Number of bytes of one command’s output that may be on their way. ssh often sends short answers 40 ms late, so the speed is at most half
 * of this in 40 ms.
 */
const WINDOW = 4 * 1024 * 1024

/** How much of a command’s output the near side has yet to process. The command is held while it is too much. */
export interface OutputCredit extends OutputHold {
  sent(bytes: number): void
  processed(bytes: number): void
  /** Call this when the command has ended. Nothing is held afterwards. */
  close(): void
}

export function createOutputCredit(): OutputCredit {
  const changed = new Emitter<boolean>()
  let onTheWay = 0
  let isHeld = false
  let isOpen = true
  const tell = (isFull: boolean): void => {
    if (isFull === isHeld || !isOpen) return
    isHeld = isFull
    changed.fire(isFull)
  }
  return {
    get isHeld() {
      return isHeld
    },
    onChange: changed.event,
    sent(bytes) {
      onTheWay += bytes
      if (onTheWay > WINDOW) tell(true)
    },
    processed(bytes) {
      onTheWay = Math.max(0, onTheWay - bytes)
      if (onTheWay < WINDOW / 2) tell(false)
    },
    close() {
      isOpen = false
    },
  }
}
