import type { Disposable } from '../../../shared/lib/disposable.ts'
import type { ExecOptions } from '../../agent/ports/execution-environment.ts'

/**
 * Lets a slow receiver of a command's output stop the command from producing more. While it is held, the command's pipes are not read, so
 * the command waits as soon as they are full.
 */
export interface OutputHold {
  readonly isHeld: boolean
  onChange(listener: (isHeld: boolean) => void): Disposable
}

export type LocalExecOptions = ExecOptions & { readonly hold?: OutputHold }

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
