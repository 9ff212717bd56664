import type { ReactNode } from 'react'
import { ExactText } from '../ledger/exact-text.tsx'
import { MiddlePath } from '../ledger/middle-path.tsx'

/** Beside the name of a file. `whole`: nothing of the path is shortened, for what is to be signed. */
export function MovedFrom({ path, whole = false }: { readonly path: string; readonly whole?: boolean }): ReactNode {
  return <>moved from {whole ? <ExactText text={path} /> : <MiddlePath path={path} />}</>
}
