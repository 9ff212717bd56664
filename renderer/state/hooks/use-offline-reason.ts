import { useStore } from 'zustand'
import { useDesk } from '../desk-context.ts'

const WHY = 'The window is not connected'

/** Why requests to main are impossible now, as the tooltip of a disabled control; null when they are possible. */
export function useOfflineReason(): string | null {
  return useStore(useDesk().connection.state, ({ kind }) => (kind === 'open' ? null : WHY))
}
