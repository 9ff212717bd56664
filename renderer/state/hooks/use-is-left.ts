import { useStore } from 'zustand'
import type { CallItem } from '../../../shared/session/state.ts'
import { useDesk } from '../desk-context.ts'

/** Whether the command of a step goes on although the Countersign that ran it was killed: it is offered for ending. */
export function useIsLeft({ effects }: CallItem): boolean {
  const command = effects.find((effect) => effect.kind === 'command')
  return useStore(useDesk().left, ({ offered }) => offered.some((left) => left.command === command?.command && left.folder === command.cwd))
}
