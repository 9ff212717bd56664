import type { SystemTrouble } from '../shared/api/app.ts'
import type { Disposable } from '../shared/lib/disposable.ts'
import { Emitter } from '../shared/lib/emitter.ts'

/** Problems with the operating system, such as notifications that it refuses. */
export interface SystemTroubles {
  current(): readonly SystemTrouble[]
  /** Calls the listener after each change. */
  onChange(listener: () => void): Disposable
}

/** The shell's list. The shell adds a problem when it notices it, and removes it when it is solved. */
export class SystemTroubleList implements SystemTroubles {
  readonly #changed = new Emitter<void>()
  #troubles: readonly SystemTrouble[] = []

  readonly current = (): readonly SystemTrouble[] => this.#troubles

  readonly onChange = (listener: () => void): Disposable => this.#changed.event(listener)

  /** Replaces a trouble with the same code. */
  add(trouble: SystemTrouble): void {
    this.#troubles = [...this.#without(trouble.code), trouble]
    this.#changed.fire()
  }

  remove(code: string): void {
    if (this.#without(code).length === this.#troubles.length) return
    this.#troubles = this.#without(code)
    this.#changed.fire()
  }

  #without(code: string): readonly SystemTrouble[] {
    return this.#troubles.filter((trouble) => trouble.code !== code)
  }
}
