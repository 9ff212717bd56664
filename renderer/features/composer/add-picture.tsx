import { ImagePlus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../ui/controls/button.tsx'

export interface AddPictureProps {
  readonly onChoose: (files: readonly File[]) => void
}

/** The way in for whoever neither pastes nor drags. */
export function AddPicture({ onChoose }: AddPictureProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label="Pictures"
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // the same one can be chosen again
          currentTarget.value = ''
        }}
      />
      <Button
        only
        small
        variant="quiet"
        icon={ImagePlus}
        label="Add a picture"
        tip="Add a picture; pasting or dropping one works too"
        onPress={() => input.current?.click()}
      />
    </>
  )
}
