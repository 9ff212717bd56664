import { createContext, Fragment, type ReactNode, useContext } from 'react'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { type NamedPlace, partsOf, placeOf } from '../../../ui/text/file-names.ts'

interface CompleteAnswer {
  /** The paths in the answer that are files of an open folder. Names of other files are plain text. */
  readonly files: ReadonlySet<string>
  /** Opens one of these files. */
  readonly open: (place: NamedPlace) => void
}

/** The complete answer around a component. Null while it is being written: code is then not colored, and no name is a link. */
export const AnswerContext = createContext<CompleteAnswer | null>(null)

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

/** A press opens the file in the viewer, at the named line. Null without a place, and if there is no such file. */
function useLinkTo(place: NamedPlace | null): FileLink | null {
  const answer = useContext(AnswerContext)
  if (place === null || !answer?.files.has(place.path)) return null
  return { tip: 'Show the file', onPress: () => answer.open(place) }
}
