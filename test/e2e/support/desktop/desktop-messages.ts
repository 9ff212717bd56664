/** What the process of the desktop shell sends to the test, whose browser draws the window's page. */
export type FromDesktop =
  /** A window has loaded its page, for the first time or again. `preload`: the text of the preload script. */
  | { readonly kind: 'loads'; readonly url: string; readonly preload: string }
  /** Only the part of the address after the # has changed. */
  | { readonly kind: 'asks'; readonly url: string }
  | { readonly kind: 'response'; readonly id: number; readonly response: AssetResponse | null }
  /** A message for the preload. */
  | { readonly kind: 'tells'; readonly channel: string; readonly args: readonly unknown[] }

/** A response of the page's protocol. */
export interface AssetResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type ToDesktop =
  /** The browser requests an address of the page. A document replaces the one before it. */
  | { readonly kind: 'request'; readonly id: number; readonly url: string; readonly method: string; readonly isDocument: boolean }
  /** The page changed its own address without loading anything. */
  | { readonly kind: 'moves'; readonly url: string }
  /** A message of the preload. */
  | { readonly kind: 'sends'; readonly channel: string; readonly args: readonly unknown[] }
  /** The page's process crashes. Playwright cannot use a page whose process has really crashed, so main only gets the event. */
  | { readonly kind: 'crashed' }
  | { readonly kind: 'closes_window' }
  | { readonly kind: 'clicks_menu'; readonly label: string }
  /** A second instance was started with this folder. */
  | { readonly kind: 'second_instance'; readonly folder: string }
  /** The folder that the user chooses in the system's dialog from now on. */
  | { readonly kind: 'chooses_folder'; readonly folder: string }
  /** The answers to the next questions in the system's dialogs. */
  | { readonly kind: 'answers'; readonly buttons: readonly number[] }
