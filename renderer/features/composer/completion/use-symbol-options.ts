import { useEffect, useState } from 'react'
import type { FoundSymbol } from '../../../../shared/api/workspace.ts'
import { useAnswer } from '../../../state/use-answer.ts'
import type { CompletionTarget, CompletionOption } from './completion-target.ts'

/** Minimum number of letters for a symbol search. With fewer letters, too many symbols match. */
const FROM = 2
const NONE: readonly CompletionOption[] = []
/** Delay in ms before the symbols of a folder are requested again while the folder is being read for the first time. */
const AGAIN_MS = 700
const MAX_TRIES = 60

/** Returns the matching symbols of the folder. Until the answer arrives, the symbols for the previous input are shown. */
export function useSymbolOptions(completing: CompletionTarget | null, folder: string): readonly CompletionOption[] {
  const [tries, setTries] = useState(0)
  const typed = completing?.kind === 'path' ? completing.typed : ''
  const isAsked = typed.length >= FROM && /^[\p{L}\p{N}_$]+$/u.test(typed) && folder !== ''
  const { last } = useAnswer(`${folder}\n${typed}`, isAsked ? (client) => client.workspace.symbols({ folder, typed }) : null, [tries])
  useEffect(() => {
    if (!isAsked || last === null || last.isReady) return
    const again = setTimeout(() => setTries((count) => Math.min(count + 1, MAX_TRIES)), AGAIN_MS)
    return () => clearTimeout(again)
  }, [isAsked, last])
  return isAsked ? (last?.symbols ?? []).map((one) => optionOf(folder, one)) : NONE
}

const optionOf = (folder: string, { name, kind, path, line }: FoundSymbol): CompletionOption => ({
  id: `symbol:${path}:${line}:${name}`,
  used: `symbol:${folder}:${path}:${name}`,
  words: name,
  about: `${kind}  ${path}:${line}`,
  origin: 'symbol',
  text: `\`${name}\` (@${path}:${line}) `,
})
