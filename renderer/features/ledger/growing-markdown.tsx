import { memo, type ReactNode, useState } from 'react'
import type { Token } from 'marked'
import { type GrowingBlocks, grow, NO_BLOCKS } from './blocks.ts'
import { Block } from './markdown.tsx'

/** A model's text while it is being written: finished blocks are neither read nor rendered again, whatever the length. */
export function GrowingMarkdown({ text }: { readonly text: string }): ReactNode {
  const [blocks, setBlocks] = useState<GrowingBlocks>(() => grow(NO_BLOCKS, text))
  if (blocks.source !== text) setBlocks(grow(blocks, text))
  return (
    <>
      <Blocks tokens={blocks.done} />
      {blocks.open.map((token, index) => (
        <Block key={blocks.done.length + index} token={token} depth={0} />
      ))}
    </>
  )
}

const Blocks = memo(function Blocks({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token} depth={0} />)
})
