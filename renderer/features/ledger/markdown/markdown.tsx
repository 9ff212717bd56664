import type { Token } from 'marked'
import { memo, type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { Block } from './block.tsx'
import { grow, type GrowingBlocks, NO_BLOCKS } from './blocks.ts'
import styles from '../ledger.module.css'

/** A model's text, complete or still growing. Finished blocks are neither parsed nor rendered again. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const shown = usePaced(text)
  const [blocks, setBlocks] = useState<GrowingBlocks>(() => grow(NO_BLOCKS, shown))
  if (blocks.source !== shown) setBlocks(grow(blocks, shown))
  const { sections, chunks, rest, open } = blocks
  const last = [...chunks, [...rest, ...open]]
  return [...sections, last].map((section, index) => <Section key={index} chunks={section} isFull={index < sections.length} />)
})

interface SectionProps {
  readonly chunks: GrowingBlocks['chunks']
  readonly isFull: boolean
}

/** A part of a text. If the part is full, the browser skips its layout while it is far from the window. */
const Section = memo(function Section({ chunks, isFull }: SectionProps): ReactNode {
  return (
    <div className={classNames(styles.section, isFull && styles.full)}>
      {chunks.map((chunk, index) => (
        <Chunk key={index} tokens={chunk} />
      ))}
    </div>
  )
})

const Chunk = memo(function Chunk({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token} depth={0} />)
})

/** Maximum number of characters added per frame: more than any model writes, but few enough to keep frames short. */
const PER_FRAME = 6_000

/** The part of a text that may be shown in this frame. The rest follows frame by frame. */
function usePaced(text: string): string {
  const [before, setBefore] = useState(PER_FRAME)
  const length = Math.min(text.length, before + PER_FRAME)
  useEffect(() => {
    if (length <= before) return
    const frame = requestAnimationFrame(() => setBefore(length))
    return () => cancelAnimationFrame(frame)
  }, [length, before])
  return length === text.length ? text : text.slice(0, length)
}

/** A model's text in the styles of the ledger, for a plan in the tray. */
export function WrittenWords({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={styles.words}>
      <Markdown text={text} />
    </div>
  )
}
