import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { UserPart } from '../../../shared/session/content.ts'
import { wellFormedJson } from './wire-text.ts'

type Image = Extract<UserPart, { readonly kind: 'image' }>

/** The form in which one service expects the parts of a user message. */
export interface UserForms {
  /** Empty for text that the service does not accept. */
  text(text: string): readonly string[]
  image(part: Image): object
  imageAt(url: string): object
}

/** A user message as blocks of a service. */
export function userBlocks(content: string | readonly UserPart[], forms: UserForms): readonly string[] {
  if (typeof content === 'string') return forms.text(content)
  return content.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return forms.text(part.text)
      case 'image':
        return [wellFormedJson(forms.image(part))]
      case 'image_url':
        return [wellFormedJson(forms.imageAt(part.url))]
      default:
        return assertNever(part, 'part of a message')
    }
  })
}
