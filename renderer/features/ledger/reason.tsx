import type { ReactNode } from 'react'
import { Well } from '../../ui/ledger/well.tsx'
import styles from './ledger.module.css'

/** Why a step did not do what it was to do: a sentence; what has several lines with marks under places, as compilers write, in the code font. */
export function Reason({ text }: { readonly text: string }): ReactNode {
  const words = text.trim()
  if (words === '') return null
  return isDrawn(words) ? <Well label="Why it failed" text={words} /> : <p className={`note ${styles.lines}`}>{words}</p>
}

/** Places in it stand below each other. */
const isDrawn = (text: string): boolean => /\n[ \t]{2,}\S/u.test(text)
