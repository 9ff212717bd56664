import type { TerminalItem } from '../../../shared/api/terminals.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/** Supplies a terminal's data, and receives what the user types. */
export interface TerminalSource {
  /**
   * Delivers every item from now on. The first item, and the first one after a reconnection, is a `replay`, or `none` if there is nothing
   * to replay.
   */
  follow(receive: (item: TerminalItem) => void): Disposable
  /** Acknowledges `chars` UTF-16 units of `data` items drawn since the last call. */
  acknowledge(watcher: string, chars: number): void
  write(data: string): void
  resize(columns: number, rows: number): void
}
