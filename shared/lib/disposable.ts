/** A resource that its owner releases once; a second `dispose` does nothing. */
export interface Disposable {
  dispose(): void
}

/** Wraps a clean-up so that it runs at most once. */
export function disposable(cleanUp: () => void): Disposable {
  let open = true
  return {
    dispose() {
      if (!open) return
      open = false
      cleanUp()
    },
  }
}

/** Disposes of everything added to it, newest first. What is added after disposal is disposed of immediately. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = []
  #open = true

  add<T extends Disposable>(item: T): T {
    if (this.#open) this.#items.push(item)
    else item.dispose()
    return item
  }

  dispose(): void {
    this.#open = false
    for (let item = this.#items.pop(); item; item = this.#items.pop()) item.dispose()
  }
}
