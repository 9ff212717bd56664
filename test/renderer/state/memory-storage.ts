import type { BrowserStorage } from '../../../renderer/state/stores/browser-storage.ts'

/** The browser's storage, with its values for the test to read. */
export function memoryStorage(): BrowserStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
