import type { OutputHold } from '../../agent/ports/execution-environment.ts'

/** For several independent reasons to pause: pauses with the first one and resumes after the last one. */
export function createPauses(pause: () => void, resume: () => void): (reason: string, isFull: boolean) => void {
  const reasons = new Set<string>()
  return (reason, isFull) => {
    const wasPaused = reasons.size > 0
    if (isFull) reasons.add(reason)
    else reasons.delete(reason)
    if (wasPaused === reasons.size > 0) return
    if (isFull) pause()
    else resume()
  }
}

/** Passes a hold on, from its current state. */
export function followHold(hold: OutputHold | undefined, pauses: (reason: string, isFull: boolean) => void): void {
  if (!hold) return
  hold.onChange((isHeld) => pauses('receiver', isHeld))
  pauses('receiver', hold.isHeld)
}
