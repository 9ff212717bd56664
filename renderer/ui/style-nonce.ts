let given = false

/**
 * Two libraries put `<style>` elements into the page (the diff and the terminal), which the page's policy allows with its nonce alone.
 * From now on every style element made by a script of ours has it. Call before such a library is used; a page without a nonce is left as it is.
 */
export function giveStylesTheNonce(): void {
  if (given) return
  given = true
  // the attribute is hidden from scripts once it is read, the property is not
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  if (!nonce) return
  // oxlint-disable-next-line typescript/no-deprecated -- only its overload for tags of long ago is
  const create = document.createElement.bind(document)
  // oxlint-disable-next-line typescript/no-deprecated -- the same
  document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}
