import { z } from 'zod'
import type { ToolSpec } from './tool-spec.ts'

export const WebFetchInput = z.object({
  url: z.string().min(1).describe('Address of the page, http or https; one that the developer or an earlier result named.'),
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
    'Fetches a web page and gives its readable text as Markdown; PDFs, JSON and plain text as text. Pages of this machine or network are not fetched.',
  input: WebFetchInput,
} satisfies ToolSpec<typeof WebFetchInput>
