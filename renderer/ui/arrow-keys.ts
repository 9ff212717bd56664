export interface ArrowKeys {
  readonly next: string
  readonly previous: string
}

export const vertical: ArrowKeys = { next: 'ArrowDown', previous: 'ArrowUp' }
export const horizontal: ArrowKeys = { next: 'ArrowRight', previous: 'ArrowLeft' }

/** The index that a key moves to among `count` items, wrapping around. Null for other keys. `current` is -1 if there is none. */
export function indexAfterKey(key: string, keys: ArrowKeys, current: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case keys.next:
      return (current + 1) % count
    case keys.previous:
      return current <= 0 ? count - 1 : current - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
