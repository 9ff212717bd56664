import type { TerminalItem } from '../../../shared/api/terminals.ts'
import type { Disposable } from '../../../shared/lib/disposable.ts'

/** Where a terminal's bytes come from and where typing goes. */
export interface TerminalSource {
  /** From now on every item, first a `replay`; after a break of the connection again from a `replay`. */
  follow(receive: (item: TerminalItem) => void): Disposable
  /** `chars` UTF-16 units of `data` items have been drawn since the last time. */
  acknowledge(watcher: string, chars: number): void
  write(data: string): void
  resize(columns: number, rows: number): void
}
