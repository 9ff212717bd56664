import { createPersonTerminals } from '../../main/terminals/person-terminals.ts'

/** For handlers of terminals where no user opens one of their own. */
export const NO_OWN_TERMINALS = {
  own: createPersonTerminals(() => {
    throw new Error('No terminal is opened here.')
  }),
  folderOf: () => null,
} as const
