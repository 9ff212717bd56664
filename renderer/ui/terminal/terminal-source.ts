import type { TerminalItem } from '../../../shared/api/terminals.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/** The source of a terminal's data and the target of its typing. */
export interface TerminalSource {
  /** Delivers every item from now on. The first item is a `replay`, and so is the first after a reconnection. */
  follow(receive: (item: TerminalItem) => void): Disposable
  /** Acknowledges `chars` UTF-16 units of `data` items drawn since the last call. */
  acknowledge(watcher: string, chars: number): void
  write(data: string): void
  resize(columns: number, rows: number): void
}
