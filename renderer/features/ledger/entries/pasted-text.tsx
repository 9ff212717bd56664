import { type ReactNode, useState } from 'react'
import { linesIn } from '../../../state/stores/drafts/draft-texts.ts'
import { byteSize, clipped, counted } from '../../../ui/format.ts'
import { ForeignText } from '../../../ui/text/exact-text.tsx'
import { Well } from '../../../ui/text/well.tsx'
import { FoldButton } from '../calls/fold-button.tsx'
import styles from '../ledger.module.css'

interface PastedTextProps {
  /** The position among the pasted texts of the message, from 1. */
  readonly number: number
  readonly text: string
}

/** A long text that was pasted or attached to a message, as a line with its size. It is folded at first. */
export function PastedText({ number, text }: PastedTextProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const name = `pasted text ${number}`
  return (
    <>
      <div className={styles.file}>
        <FoldButton open={isOpen} what={name} onPress={() => setOpen(!isOpen)} />
        <span className="clip soft">
          {`${counted(linesIn(text), 'line')}, ${byteSize(new TextEncoder().encode(text).length)}: `}
          <ForeignText text={clipped(text.trim(), 200)} />
        </span>
      </div>
      {isOpen && <Well label={`Text of ${name}`} text={text} scrolls />}
    </>
  )
}
