import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const WebFetchInput = z.object({
  url: z.string().min(1).describe('Address of the page, with http or https.'),
})
export type WebFetchInput = z.infer<typeof WebFetchInput>

export interface WebFetchDetails {
  readonly url: string
  readonly status: number
  readonly title: string | null
  readonly bytes: number
}

export const webFetchSpec = {
  name: 'web_fetch',
  verb: 'Fetch',
  description:
    'Fetches a web page and returns its readable text as Markdown. Also returns the text of PDF, JSON and plain text files. Addresses of this computer or the local network are not fetched.',
  input: WebFetchInput,
} satisfies ToolSpec<typeof WebFetchInput>
