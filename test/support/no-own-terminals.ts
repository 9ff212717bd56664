import { createOwnTerminals } from '../../main/terminals/own-terminals.ts'

/** For handlers of terminals where no person opens one of their own. */
export const NO_OWN_TERMINALS = {
  own: createOwnTerminals(() => {
    throw new Error('No terminal is opened here.')
  }),
  folderOf: () => null,
} as const
