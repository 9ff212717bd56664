import type { AppHandlers } from '../../shared/api/contract.ts'
import type { Updates } from '../host.ts'
import { latestValue } from './latest-value.ts'

export function updatesHandlers(updates: Updates): AppHandlers['updates'] {
  return {
    state: (_, { signal }) => latestValue(updates.current, updates.onChange, signal),
    async look() {
      await updates.look()
      return {}
    },
    async download() {
      await updates.download()
      return {}
    },
    restart() {
      updates.restart()
      return {}
    },
  }
}
