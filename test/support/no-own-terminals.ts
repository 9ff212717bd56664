import { createPersonTerminals } from '../../main/terminals/person-terminals.ts'

/** Stands in for the user's own terminals in tests of terminal handlers. */
export const NO_OWN_TERMINALS = {
  own: createPersonTerminals(),
  openPlace: () => {
    throw new Error('No terminal is opened here.')
  },
} as const
