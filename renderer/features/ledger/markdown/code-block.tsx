import { Fragment, memo, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import type { CodePiece, CodePieces } from '../../../ui/diff/colours/code-pieces.ts'
import { languageOfFence } from '../../../ui/diff/colours/language-of.ts'
import { MAX_COLOURED_LENGTH, pieceStyle, useCodePieces } from '../../../ui/diff/colours/use-code-pieces.ts'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { AnswerContext } from './file-links.tsx'

interface CodeBlockProps {
  readonly text: string
  /** The text after the opening backticks, which may name a language. */
  readonly info: string
}

/** Code in an answer. It gets its colors when the answer is complete and the code is near the visible part. */
export function CodeBlock({ text, info }: CodeBlockProps): ReactNode {
  const block = useRef<HTMLPreElement>(null)
  const isComplete = useContext(AnswerContext)?.isComplete === true
  const language = text.length > MAX_COLOURED_LENGTH ? null : languageOfFence(info)
  const isNear = useNearView(block, isComplete && language !== null)
  const pieces = useCodePieces(isNear ? language : null)
  return (
    <pre ref={block}>
      <code>{pieces ? <ColouredCode text={text} pieces={pieces} /> : foreign(text)}</code>
    </pre>
  )
}

const ColouredCode = memo(function ColouredCode({ text, pieces }: { readonly text: string; readonly pieces: CodePieces }): ReactNode {
  return pieces(text).map((line, at) => (
    <Fragment key={at}>
      {at > 0 && '\n'}
      {line.map(coloured)}
    </Fragment>
  ))
})

function coloured(piece: CodePiece, at: number): ReactNode {
  return (
    <span key={at} style={pieceStyle(piece)}>
      {foreign(piece.text)}
    </span>
  )
}

/** How far from the visible part an element counts as near. */
const NEAR = '600px'

/** Whether an element has been near the visible part since `isWanted` became true. */
function useNearView(target: RefObject<Element | null>, isWanted: boolean): boolean {
  const [wasNear, setWasNear] = useState(false)
  useEffect(() => {
    const element = target.current
    if (!isWanted || wasNear || element === null) return
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setWasNear(true), {
      rootMargin: NEAR,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [target, isWanted, wasNear])
  return wasNear
}
