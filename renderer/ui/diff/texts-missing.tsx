import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import type { StepTexts } from './step-texts.ts'

/** What stands where both versions of a file would: they are being read, or could not be, and may be read again. */
export function TextsMissing({
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
