import { createContext, Fragment, type ReactNode, useContext } from 'react'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { type NamedPlace, partsOf, placeOf } from '../../../ui/text/file-names.ts'

interface ShownAnswer {
  /** False while the answer is being written. Its code is then not colored. */
  readonly isComplete: boolean
  /**
   * The paths in the answer that are files of an open folder. Names of other files are plain text. Null until the answer is complete and
   * main has found them.
   */
  readonly files: ReadonlySet<string> | null
  /** Opens one of these files. */
  readonly open: (place: NamedPlace) => void
}

/** The answer around a component. Null in a text that is not an answer: code is not colored, and no name of a file is a link. */
export const AnswerContext = createContext<ShownAnswer | null>(null)

/** Words of an answer, in which the names of existing files are links. */
export function words(text: string): ReactNode {
  const parts = partsOf(text)
  if (parts.every(({ place }) => place === null)) return foreign(text)
  return parts.map((part, at) => (
    <Fragment key={at}>{part.place ? <FileName {...part} place={part.place} /> : foreign(part.text)}</Fragment>
  ))
}

function FileName({ text, place }: { readonly text: string; readonly place: NamedPlace }): ReactNode {
  const file = useLinkTo(place)
  return file ? <TextLink {...file}>{foreign(text)}</TextLink> : foreign(text)
}

/** A code span. If it is the name of an existing file, it is a link. */
export function CodeSpan({ text }: { readonly text: string }): ReactNode {
  const file = useFileLink(text)
  const code = <code>{foreign(text)}</code>
  return file ? <TextLink {...file}>{code}</TextLink> : code
}

interface FileLink {
  readonly tip: string
  readonly onPress: () => void
}

/** The link of an address or a word that names an existing file. Null if it names none. */
export function useFileLink(name: string): FileLink | null {
  return useLinkTo(placeOf(name))
}

/** Whether an address may name a file, and it is not yet known whether the file exists. */
export function useMayNameFile(address: string): boolean {
  const answer = useContext(AnswerContext)
  return answer?.files === null && placeOf(address) !== null
}

/** A press opens the file in the viewer, at the named line. Null without a place, and if there is no such file. */
function useLinkTo(place: NamedPlace | null): FileLink | null {
  const answer = useContext(AnswerContext)
  if (place === null || !answer?.files?.has(place.path)) return null
  return { tip: 'Show the file', onPress: () => answer.open(place) }
}
