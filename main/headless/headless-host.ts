import { type Host, noUpdates } from '../host.ts'
import { createMemorySecrets } from '../settings/secrets.ts'
import { QuitQuestions } from '../quit-questions.ts'
import { SystemTroubleList } from '../system-troubles.ts'

/** A host without a window or system integration. Keys come only from the environment. */
export function headlessHost(): Host {
  return {
    shell: 'browser',
    capabilities: { folderDialog: false, notifications: false, reveal: false },
    secrets: createMemorySecrets(),
    systemTroubles: new SystemTroubleList(),
    quitQuestions: new QuitQuestions(),
    updates: noUpdates('Countersign runs from its source or an npm package, so it is updated with git or npm.'),
    pickFolder: () => Promise.resolve(null),
    reveal: () => Promise.resolve(false),
    openLink: () => Promise.resolve({ opened: false, why: 'Nobody is there to see it.' }),
    notify: () => {},
  }
}
