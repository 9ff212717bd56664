export interface SplitterState {
  readonly pane: 'left' | 'right'
  readonly width: number
  readonly min: number
  readonly max: number
}

/** The width that a key asks of a divider, in pixels and not yet within its limits; null for keys that are not its own. */
export function splitterKey(event: { readonly key: string; readonly shiftKey: boolean }, state: SplitterState): number | null {
  const step = event.shiftKey ? 32 : 8
  const outwards = state.pane === 'left' ? 'ArrowRight' : 'ArrowLeft'
  const inwards = state.pane === 'left' ? 'ArrowLeft' : 'ArrowRight'
  switch (event.key) {
    case outwards:
      return state.width + step
    case inwards:
      return state.width - step
    case 'Home':
      return state.min
    case 'End':
      return state.max
    default:
      return null
  }
}
