import { useStore } from 'zustand'
import { useDesk } from '../desk-context.ts'

const WHY = 'Not while the window is not connected'

/** Why nothing can be asked of main now, as the tooltip of a control that is disabled for it; null when it can. */
export function useBarred(): string | null {
  return useStore(useDesk().connection.state, ({ kind }) => (kind === 'open' ? null : WHY))
}
