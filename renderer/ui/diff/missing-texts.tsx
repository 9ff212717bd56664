import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import type { StepTexts } from './step-texts.ts'

/** Shown in place of both versions of a file: they are being read, or could not be read and can be tried again. */
export function MissingTexts({
  texts,
  className,
}: {
  readonly texts: Exclude<StepTexts, { kind: 'loaded' }>
  readonly className?: string | undefined
}): ReactNode {
  if (texts.kind === 'loading') return <p className={className}>Reading both versions…</p>
  return (
    <p className={className}>
      The two versions could not be read: {texts.message}{' '}
      <Button small onPress={texts.retry}>
        Read again
      </Button>
    </p>
  )
}
