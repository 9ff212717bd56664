import type { Host } from '../host.ts'
import { createMemorySecrets } from '../settings/secrets.ts'

/** A host without a window or system integration. Keys come only from the environment. */
export function headlessHost(): Host {
  return {
    shell: 'browser',
    capabilities: { folderDialog: false, notifications: false, reveal: false, keychain: false },
    secrets: createMemorySecrets(),
    pickFolder: () => Promise.resolve(null),
    reveal: () => Promise.resolve(false),
    openLink: () => Promise.resolve({ opened: false, why: 'Nobody is there to see it.' }),
    notify: () => {},
  }
}
