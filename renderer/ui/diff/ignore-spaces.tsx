import { Pilcrow } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'

interface IgnoreSpacesProps {
  readonly ignoresSpaces: boolean
  readonly setIgnoresSpaces: (ignores: boolean) => void
}

/** Chooses whether differences in spaces and tabs are hidden. */
export function IgnoreSpaces({ ignoresSpaces, setIgnoresSpaces }: IgnoreSpacesProps): ReactNode {
  return (
    <Button
      small
      only
      icon={Pilcrow}
      label="Ignore spaces and tabs"
      pressed={ignoresSpaces}
      onPress={() => setIgnoresSpaces(!ignoresSpaces)}
    />
  )
}
