import { createMemorySecrets } from '../settings/memory-secrets.ts'
import type { Host } from '../host.ts'
import { outsideLink } from './outside-link.ts'

/** The host of the browser shell: a page cannot use the system's dialogs or keychain, so keys are kept in memory. */
export function browserHost(): Host {
  return {
    shell: 'browser',
    capabilities: { folderDialog: false, notifications: false, reveal: false, keychain: false },
    secrets: createMemorySecrets(),
    pickFolder: () => Promise.resolve(null),
    reveal: () => Promise.resolve(false),
    openLink(url) {
      const checked = outsideLink(url)
      return Promise.resolve({ opened: false, why: checked.ok ? 'This browser opens links itself.' : checked.failure })
    },
    notify: () => {},
  }
}
